"""Who is run against the suite: each honest mock, and every flaw and variant of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from pact_conformance.catalogue import Catalogue, load
from pact_conformance.catalogue.requirement import Profile, Role
from pact_conformance.counterpart import flaws, variants
from pact_conformance.session.embedded import AUDIENCE

Kind = Literal["honest", "flaw", "variant", "pair"]

# Whether a Provider is open to personal agents that it does not know, only its tester can say.
OPEN = {"open_audience": AUDIENCE}
OPEN_VARIANTS = frozenset({"is-open-to-whoever-serves-keys"})

# The modules of flaws and variants that show where there is delegation: so they begin.
DELEGATED = ("delegation", "agent_delegation", "agent_http", "agent_5")

# What the mocks are called that have no flaw and no variant.
HONEST: Mapping[str, Role] = {"honest": "provider", "honest-agent": "personal-agent"}
_UNCHANGED = "The mock as it is."


@dataclass(frozen=True)
class Subject:
    """A mock with a flaw or a variant substituted in it, and what it is held against."""

    name: str
    kind: Kind
    profile: Profile
    """What is tested: `delegated` is both profiles."""
    declared: frozenset[str] = frozenset()
    """What a flaw breaks, or what may warn of a variant."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What the tester says of it, by the keys of `options.TABLE`."""
    sections: frozenset[str] | None = None
    """The sections whose checks are run; None: those of all."""
    role: Role = "provider"
    parts: tuple[str, ...] = ()
    """The flaws of a pair, in the order in which they are substituted."""
    description: str = ""

    @property
    def options(self) -> dict[str, str]:
        """The settings of a run against it."""
        who, mock = ("provider", "mock") if self.role == "provider" else ("agent", "agent")
        deviates = {
            "honest": {},
            "flaw": {f"{mock}_flaws": self.name},
            "variant": {f"{mock}_variants": self.name},
            "pair": {f"{mock}_flaws": ",".join(self.parts)},
        }[self.kind]
        return {who: "mock", "profile": self.profile, **deviates, **self.settings}


def subjects(names: Iterable[str] = ()) -> Iterator[Subject]:
    """Yield the honest mocks, every variant and every flaw, or those of them that are named.

    Each is to be held against the whole suite of its role: of PACT Identity alone, unless it has to
    do with delegation. What takes longest comes first.

    Raises:
        LookupError: nothing has one of these names.
    """
    rows = load()
    wanted = tuple(names) or (*HONEST, *variants.ALL, *flaws.ALL)
    for name in wanted:
        if name in HONEST:
            yield Subject(name, "honest", "delegated", role=HONEST[name], description=_UNCHANGED)
        elif name in variants.ALL:
            yield _with_variant(rows, name)
        elif name in flaws.ALL:
            yield _with_flaw(rows, name)
        else:
            raise LookupError(f"there is no flaw and no variant called {name!r}")


def _with_variant(rows: Catalogue, name: str) -> Subject:
    variant = variants.ALL[name]
    profile = "delegated" if _delegates(variant) else _profile(rows, variant.warns)
    given = OPEN if name in OPEN_VARIANTS else {}
    said = _sentence(variant.description)
    return Subject(
        name, "variant", profile, variant.warns, given, role=variant.role, description=said
    )


def _with_flaw(rows: Catalogue, name: str) -> Subject:
    flaw = flaws.ALL[name]
    given = OPEN if "3.1-open-policy" in flaw.breaks else {}
    profile = "delegated" if _delegates(flaw) else _profile(rows, flaw.breaks)
    said = _sentence(flaw.description)
    return Subject(name, "flaw", profile, flaw.breaks, given, role=flaw.role, description=said)


def _sentence(docstring: str) -> str:
    return " ".join(docstring.split())


def _delegates(it: flaws.Flaw | variants.Variant) -> bool:
    if isinstance(it, variants.Variant) and it.deploy is not None:
        return True  # logins and documents are elsewhere too
    return it.apply.__module__.rpartition(".")[2].startswith(DELEGATED)


def _profile(rows: Catalogue, declared: Iterable[str]) -> Profile:
    return "delegated" if any(rows[it].profile == "delegated" for it in declared) else "identity"


def by_section(subject: Subject) -> Subject:
    """Return a subject to be held against the sections that it has to do with alone.

    A flaw, and a pair of them, against those of what it breaks, a variant of delegation against
    those of PACT Delegated. Any other variant may be unusual anywhere, and stays as it is.
    """
    rows = load()
    if subject.kind in {"flaw", "pair"}:
        return replace(subject, sections=frozenset(rows[it].section for it in subject.declared))
    if subject.kind == "variant" and subject.profile == "delegated":
        delegated = rows.of(role=subject.role, profile="delegated")
        return replace(subject, sections=frozenset(row.section for row in delegated))
    return subject
