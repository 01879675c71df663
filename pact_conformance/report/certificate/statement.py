"""What the vendor states: who, what, by which run, and what was left out and why."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from pact_conformance.report import sections
from pact_conformance.report.certificate.claim import comprised, role_of

Document: TypeAlias = Mapping[str, Any]

SCHEMA = "https://pact-conformance.dev/schemas/statement/1"

_LONGEST = 200
_WAIVED = "declared absent: "


class BadDetail(ValueError):  # noqa: N818 - it is the detail that is bad
    """Something that the vendor says of itself cannot be used, in one line."""


@dataclass(frozen=True)
class Details:
    """Who certifies what."""

    vendor: str
    product: str
    version: str
    website: str
    contact: str

    def __post_init__(self) -> None:
        """Refuse what no reader could use.

        Raises:
            BadDetail: a detail is empty, long or unprintable, or the website is no URL.
        """
        for field in fields(self):
            value = getattr(self, field.name)
            if not value.strip() or value != value.strip():
                raise BadDetail(f"--{field.name} is empty, or begins or ends with a blank")
            if len(value) > _LONGEST or not value.isprintable():
                raise BadDetail(f"--{field.name} has to be printable, on one line, and not long")
        if urlsplit(self.website).scheme not in {"http", "https"} or "@" in self.website:
            raise BadDetail(f"--website {self.website}: expected an http(s) URL")


def make(document: Document, profile: str, details: Details, certified: str) -> dict[str, Any]:
    """Return the statement about a profile that a report shows to be conformant.

    Args:
        document: the report.
        profile: as the report calls it.
        details: of the vendor.
        certified: the time, as reports have it.
    """
    role = role_of(profile)
    subject = next((it for it in document["subject"] if it["role"] == role), {"role": role})
    demonstration = bool(subject.get("built_in"))
    return {
        "schema": SCHEMA,
        **asdict(details),
        "profile": profile,
        "verdict": document["profiles"][profile]["verdict"],
        "claim": _claim(document, profile, details, demonstration=demonstration),
        "demonstration": demonstration,
        "subject": dict(subject),
        "spec": dict(document["spec"]),
        "suite": dict(document["suite"]),
        "started": document["started"],
        "finished": document["finished"],
        "certified": certified,
        "counts": dict(document["profiles"][profile]["counts"]),
        "absent": list(_absent(document, profile)),
        "not_applicable": _by_reason(document, profile, "not applicable"),
        "untested": _by_reason(document, profile, "untested"),
        "warned": [it["id"] for it in comprised(document, profile) if it["verdict"] == "warned"],
        "other_profiles": {
            name: it["verdict"] for name, it in document["profiles"].items() if name != profile
        },
    }


def details_of(statement: Mapping[str, Any]) -> Details:
    """Return who certified what, from a statement.

    Raises:
        BadDetail: it is nothing that `make` would have taken.
    """
    return Details(**{field.name: statement[field.name] for field in fields(Details)})


def file_name(statement: Mapping[str, Any]) -> str:
    """Return what the bundle is called if the vendor does not say."""
    named = "-".join(statement[it] for it in ("vendor", "product", "version", "profile"))
    return f"pact-{re.sub(r'[^a-z0-9.]+', '-', named.lower()).strip('-.')}.zip"


def _claim(document: Document, profile: str, details: Details, *, demonstration: bool) -> str:
    suite, spec = document["suite"], document["spec"]
    to = f"{spec['name']} {spec['version']}, {sections.profile(profile)}"
    by = f"{suite['name']} {suite['version']}"
    on = document["started"][:10]
    if demonstration:
        return (
            f"For demonstration only, and of no product: {by} found on {on} that its own mock "
            f"conforms to {to}."
        )
    return (
        f"{details.vendor} states that {details.product} {details.version} conforms to {to}, as "
        f"{by} found on {on}. It is the vendor's own statement: nobody else has examined the "
        "product."
    )


def _absent(document: Document, profile: str) -> Iterator[dict[str, Any]]:
    """Yield what the vendor declared that the subject never does, and what is not judged for it."""
    for name, reason in document["settings"]["given"].get("absent", {}).items():
        waived = [
            row["id"]
            for row in comprised(document, profile)
            if any(check["reason"] == f"{_WAIVED}{reason}" for check in row["checks"])
        ]
        yield {"name": name, "reason": reason, "requirements": waived}


def _by_reason(document: Document, profile: str, verdict: str) -> list[dict[str, Any]]:
    reasons: dict[str, list[str]] = {}
    for row in comprised(document, profile):
        if row["verdict"] == verdict and not row["reason"].startswith(_WAIVED):
            reasons.setdefault(row["reason"], []).append(row["id"])
    return [{"reason": reason, "requirements": ids} for reason, ids in reasons.items()]
