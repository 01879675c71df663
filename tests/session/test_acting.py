"""The built-in agent beside its stage."""

from pathlib import Path

from pact_conformance.session.acting import Acting
from pact_conformance.settings import Settings


def test_an_agent_may_wait_where_the_stage_is_closed(tmp_path: Path) -> None:
    """A run that breaks off may close the stage while the agent still waits for a Brand."""
    with Acting(Settings(agent="mock"), tmp_path) as acting:
        acting.staging.__exit__(None, None, None)

        acting.move("http://brand.example", 1.0)
