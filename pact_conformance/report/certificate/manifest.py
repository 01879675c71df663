"""The manifest: every file of a bundle with its digest, and which suite made it. It is signed."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from pact_conformance.report.certificate.packing import Files
from pact_conformance.wire.schema import problems

SCHEMA = "https://pact-conformance.dev/schemas/manifest/1"

STATEMENT, REPORT, PAGE, JUNIT = "statement.json", "report.json", "report.html", "junit.xml"
JOURNAL, SETTINGS, README = "journal.ndjson.gz", "settings.toml", "README.md"
MANIFEST, SIGNATURE = "manifest.json", "manifest.jws"

CONTENT = (README, JOURNAL, JUNIT, PAGE, REPORT, SETTINGS, STATEMENT)
"""What a bundle holds besides the manifest and its signature: no more, and no less."""


def make(files: Files, suite: Mapping[str, Any]) -> bytes:
    """Return the manifest of these files.

    Args:
        files: the content of the bundle.
        suite: what made the report, as that tells it.
    """
    return to_bytes(
        {
            "schema": SCHEMA,
            "suite": dict(suite),
            "files": [
                {"name": name, "size": len(files[name]), "sha256": digest(files[name])}
                for name in sorted(files)
            ],
        }
    )


def read(data: bytes) -> dict[str, Any] | None:
    """Return a manifest; None if it is not what `manifest.schema.json` describes."""
    try:
        manifest = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if problems(manifest, "manifest") or to_bytes(manifest) != data:
        return None
    return dict(manifest)


def differences(files: Files, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is amiss with the files of a bundle, a sentence each."""
    listed = {it["name"]: it for it in manifest["files"]}
    if len(listed) < len(manifest["files"]):
        yield "the manifest lists a file twice"
    for name in sorted(set(CONTENT) - listed.keys()):
        yield f"the manifest does not list {name}"
    for name in sorted(listed.keys() - files.keys()):
        yield f"{name} is missing"
    for name in sorted(files.keys() - listed.keys() - {MANIFEST, SIGNATURE}):
        yield f"{name} was added: the manifest does not list it"
    for name in sorted(listed.keys() & files.keys()):
        if name not in CONTENT:
            yield f"{name} is no part of a bundle"
        elif listed[name]["sha256"] != digest(files[name]):
            yield f"{name} has been changed since it was signed: its SHA-256 is another"
        elif listed[name]["size"] != len(files[name]):
            yield f"the manifest gives {name} another size than it has"


def digest(data: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def to_bytes(document: Mapping[str, Any]) -> bytes:
    """Return JSON for people, the same for the same document."""
    return f"{json.dumps(document, ensure_ascii=False, indent=1)}\n".encode()
