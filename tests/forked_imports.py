"""What the server of forks imports: all that runs load, early or late."""

from importlib import import_module

from pact_conformance.session import start

for _late in ("rig_fixtures", "session.controller", "doctor.examination", "report.load"):
    import_module(f"pact_conformance.{_late}")
start.warm_up()
