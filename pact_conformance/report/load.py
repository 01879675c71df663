"""Reads a report from disk, and says in a line what is wrong with one that is none."""

import json
from pathlib import Path
from typing import Any

from pact_conformance.report.versions import SCHEMAS, upgraded
from pact_conformance.wire.schema import problems

NAME = "report.json"
_SHOWN = 5


class ReportUnreadable(ValueError):  # noqa: N818 - it says what is the case
    """There is no report at the path, or it is not one that this suite reads."""


def read(path: Path) -> dict[str, Any]:
    """Return the report at a path, or in the folder at it, as `report.schema.json` describes it.

    A report of the version before has the form of the last one then.

    Raises:
        ReportUnreadable: with what is wrong and, where there is something, what to do.
    """
    file = path / NAME if path.is_dir() else path
    document = _parse(file)
    if not isinstance(document, dict) or "schema" not in document:
        raise ReportUnreadable(f"{file} is JSON, but no report of this suite: it names no schema")
    schema = document["schema"]
    if not isinstance(schema, str) or schema not in SCHEMAS:
        raise ReportUnreadable(
            f"{file} has the format {schema!r}; this suite reads {' and '.join(SCHEMAS)}: "
            "install the version of the suite that wrote it"
        )
    wrong = problems(document, SCHEMAS[schema])
    if wrong:
        more = f"\n  and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        lines = "".join(f"\n  {line}" for line in wrong[:_SHOWN])
        raise ReportUnreadable(f"{file} breaks the schema of reports:{lines}{more}")
    return upgraded(document)


def _parse(file: Path) -> object:
    try:
        return json.loads(file.read_bytes())
    except FileNotFoundError:
        raise ReportUnreadable(f"there is no {file}: run the suite first") from None
    except OSError as error:
        raise ReportUnreadable(f"{file} cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise ReportUnreadable(f"{file} is not JSON: {error}") from None
