"""`doctor`: tries each part of the settings before a run, and says what a run will cost.

It reads the card and sends probes, which are refused or list nothing: no turn of the Brand's agent.
"""

from pact_conformance.doctor.cost import Cost
from pact_conformance.doctor.examination import Examination, examine
from pact_conformance.doctor.parts import Part

__all__ = ["Cost", "Examination", "Part", "examine"]
