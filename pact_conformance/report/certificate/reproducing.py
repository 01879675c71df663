"""How to see a certified run again: the settings without secrets, and a README for readers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import tomlkit

from pact_conformance.options import BY_KEY
from pact_conformance.report import sections
from pact_conformance.report.certificate import manifest
from pact_conformance.report.markdown import code

_OF_FILES = {
    manifest.STATEMENT: "what the vendor states, for programs",
    manifest.REPORT: "every requirement with its checks and verdicts",
    manifest.PAGE: "the same for people: one page that works offline",
    manifest.JUNIT: "the same for CI systems",
    manifest.JOURNAL: "every exchange of the run, secrets masked (`gunzip` unpacks it)",
    manifest.SETTINGS: "what was set for the run, without secrets",
    manifest.MANIFEST: "the digests of these files",
    manifest.SIGNATURE: "the manifest, signed by the vendor (a JWS, ES256)",
}


def settings(document: Mapping[str, Any]) -> str:
    """Return the settings file of a run, as far as its report tells it."""
    told = document["settings"]
    written = tomlkit.document()
    written.add(tomlkit.comment("The settings of the run, as far as they are not secret."))
    for name in told["withheld"]:
        written.add(tomlkit.comment(f"Set as well, and withheld: {_named(name)}"))
    plain = {name: it for name, it in told["given"].items() if not isinstance(it, dict)}
    tables = {name: it for name, it in told["given"].items() if isinstance(it, dict)}
    for name, value in {**plain, **tables}.items():
        written.add(name, value)
    return tomlkit.dumps(written)


def _named(key: str) -> str:
    option = BY_KEY.get(key)
    return f"{key} ({option.environment})" if option and option.environment else key


def readme(statement: Mapping[str, Any], document: Mapping[str, Any], signer: str) -> str:
    """Return what a reader of the bundle is told.

    Args:
        statement: of the vendor.
        document: the report.
        signer: the thumbprint of the vendor's key.
    """
    parts = (
        f"# {_title(statement)}",
        f"**{statement['claim'].replace('<', '&lt;')}**",
        _who(statement),
        *_limits(statement),
        "## What is here",
        "| file | holds |\n|---|---|\n" + "\n".join(_rows(_OF_FILES)),
        "## Verify it",
        _verify(statement, signer),
        "## Run it again",
        _again(statement, document),
    )
    return "\n\n".join(parts) + "\n"


def _title(statement: Mapping[str, Any]) -> str:
    if statement["demonstration"]:
        return "A demonstration"
    return f"{code(statement['product'])} {code(statement['version'])}"


def _who(statement: Mapping[str, Any]) -> str:
    subject = statement["subject"]
    said = {
        **{name: statement[name] for name in ("vendor", "website", "contact")},
        "profile": sections.profile(statement["profile"]),
        "subject": subject.get("card", subject.get("issuer", "")),
        "certified": statement["certified"],
    }
    return "\n".join(f"- {name}: {code(value)}" for name, value in said.items())


def _limits(statement: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the verdict does not rest on: a reader judges whether that is acceptable."""
    absent = [
        f"- {code(it['name'])}, for {code(it['reason'])}: {_ids(it['requirements'])}"
        for it in statement["absent"]
    ]
    if absent:
        yield "Declared absent by the vendor, and so not judged:\n\n" + "\n".join(absent)
    for name, words in (("not_applicable", "Not applicable"), ("untested", "Untested")):
        rows = [f"- {code(it['reason'])}: {_ids(it['requirements'])}" for it in statement[name]]
        if rows:
            yield f"{words}:\n\n" + "\n".join(rows)
    if statement["warned"]:
        yield f"Warned: {_ids(statement['warned'])}"
    for name, verdict in statement["other_profiles"].items():
        yield f"The same run found {sections.profile(name)} {verdict}."


def _ids(ids: Iterable[str]) -> str:
    return ", ".join(ids) or "nothing depended on it"


def _rows(about: Mapping[str, str]) -> Iterator[str]:
    return (f"| `{name}` | {words} |" for name, words in about.items())


def _verify(statement: Mapping[str, Any], signer: str) -> str:
    suite = statement["suite"]
    return (
        f"With {suite['name']} {suite['version']} installed, and without a network:\n\n"
        f"    pact-conformance verify BUNDLE --key={signer}\n\n"
        "`BUNDLE` is the ZIP, or the folder that it was unpacked into. The thumbprint is that of "
        f"the vendor's key: compare it with what {code(statement['vendor'])} publishes at "
        f"{code(statement['website'])}."
    )


def _again(statement: Mapping[str, Any], document: Mapping[str, Any]) -> str:
    withheld = [_named(it) for it in document["settings"]["withheld"]]
    needs = f"Bring your own for what is withheld: {_ids(withheld)}.\n\n" if withheld else ""
    return (
        f"{needs}    pact-conformance run --config={manifest.SETTINGS} --report=again\n"
        f"    pact-conformance compare {manifest.REPORT} again\n\n"
        "Answers differ from run to run; the verdicts should not. The catalogue is "
        f"{code(statement['suite']['catalogue']['digest'])}."
    )
