"""What PACT 1.0 requires, as data: the statements of the specification with stable ids."""

from pact_conformance.catalogue.catalogue import Catalogue, UnknownRequirement
from pact_conformance.catalogue.explain import explanation, listing
from pact_conformance.catalogue.load import CatalogueError, load
from pact_conformance.catalogue.requirement import Level, Observed, Profile, Requirement, Role

__all__ = [
    "Catalogue",
    "CatalogueError",
    "Level",
    "Observed",
    "Profile",
    "Requirement",
    "Role",
    "UnknownRequirement",
    "explanation",
    "listing",
    "load",
]
