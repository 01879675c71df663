"""The requirements together: looked up by id, selected, and bound by a digest."""

import difflib
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cached_property
from types import MappingProxyType

from pact_conformance.catalogue.requirement import Profile, Requirement, Role

# The edition of the rows. It changes with what a row requires, not with how a row explains itself.
VERSION = "1.0.0"


class UnknownRequirement(LookupError):  # noqa: N818 - it names what happened to the id
    """No requirement has this id. The message offers those that look like it."""

    def __init__(self, identifier: str, known: Iterable[str]) -> None:
        self.identifier = identifier
        self.close = tuple(_close(identifier, tuple(known)))
        hint = f"; did you mean {' or '.join(self.close)}?" if self.close else ""
        super().__init__(f"no requirement has the id {identifier!r}{hint}")


class Catalogue:
    """Every requirement, in the order of the specification."""

    def __init__(self, requirements: Iterable[Requirement], *, version: str = VERSION) -> None:
        self.version = version
        self.requirements: Mapping[str, Requirement] = MappingProxyType(
            {requirement.id: requirement for requirement in requirements}
        )

    def __getitem__(self, identifier: str) -> Requirement:
        try:
            return self.requirements[identifier]
        except KeyError:
            raise UnknownRequirement(identifier, self.requirements) from None

    def of(
        self,
        *,
        role: Role | None = None,
        profile: Profile | None = None,
        section: str | None = None,
    ) -> tuple[Requirement, ...]:
        """Return the requirements of a role, a profile and a section, each if it is given.

        A profile gives its own rows: those of `delegated` do not repeat those of `identity`. A
        section gives that section alone: `3` does not give the rows of `3.2`.
        """
        return tuple(
            requirement
            for requirement in self.requirements.values()
            if role in (None, requirement.role)
            and profile in (None, requirement.profile)
            and section in (None, requirement.section)
        )

    def beginning(self, start: str) -> tuple[Requirement, ...]:
        """Return the requirements of a section and those below it, or whose ids begin like this."""
        return tuple(
            row
            for id_, row in self.requirements.items()
            if id_.startswith(start)
            and not (start[-1:].isdigit() and id_[len(start) :][:1].isdigit())
        )

    @cached_property
    def digest(self) -> str:
        """The SHA-256 over all rows in a canonical form, so that a report can name its rows."""
        rows = [asdict(requirement) for requirement in self.requirements.values()]
        canonical = json.dumps(
            {"version": self.version, "requirements": rows},
            ensure_ascii=False,
            separators=(",", ":"),
            sort_keys=True,
        )
        return hashlib.sha256(canonical.encode()).hexdigest()


def _close(identifier: str, known: tuple[str, ...]) -> list[str]:
    """Ids that look alike; failing these, ids with the same slug in another section."""
    alike = difflib.get_close_matches(identifier, known, n=3, cutoff=0.6)
    if alike:
        return alike
    slug = identifier.partition("-")[2] or identifier
    return [candidate for candidate in known if candidate.partition("-")[2] == slug][:3]
