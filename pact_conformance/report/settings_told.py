"""What a report tells of the settings: what the tester set, but nothing secret.

Values that are secret, or may hold a secret (a command, a header, a path of the tester's machine),
are withheld; that they were set is told.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from pact_conformance.journal.mask import Mask
from pact_conformance.options import BY_KEY
from pact_conformance.settings import Settings
from pact_conformance.subject.stage_address import MADE

# What says nothing about how the subject was judged.
_BESIDE = frozenset({"report", "summary", "baseline", "update_baseline"})

_SECRET = frozenset({"accounts", "approver_fields", "ca_file", "kept"})
_TABLES = frozenset({"headers", "hooks"})


def told(settings: Settings) -> dict[str, Any]:
    """Return `given`, the settings that differ from the defaults, and names: the `withheld`."""
    mask = _mask(settings)
    given: dict[str, Any] = {}
    withheld: list[str] = []
    for key, value in _set(settings):
        if key in _TABLES:
            withheld += [f"{key}.{name}" for name in value]
        elif _may_be_secret(key, value):
            withheld.append(key)
        else:
            given[key] = _masked(value, mask)
    return {"given": given, "withheld": withheld}


def _set(settings: Settings) -> Iterator[tuple[str, Any]]:
    for key, field in Settings.model_fields.items():
        value = getattr(settings, key)
        if key in _BESIDE or value == field.get_default(call_default_factory=True):
            continue
        if key == "hooks":
            value = value.model_dump(exclude_none=True)
        yield key, value


def _may_be_secret(key: str, value: object) -> bool:
    if key in _SECRET or (key in BY_KEY and BY_KEY[key].secret):
        return True
    if key == "mock_tls":
        return value != MADE
    return isinstance(value, str) and (value.startswith("cmd:") or _has_query(value))


def _has_query(value: str) -> bool:
    return "://" in value and ("?" in value or "#" in value)


def _masked(value: Any, mask: Mask) -> Any:  # noqa: ANN401 - as the settings have it
    """Return plain data without the secrets that other settings hold."""
    if isinstance(value, str):
        return mask.apply(value)
    if isinstance(value, Mapping):
        return {name: _masked(it, mask) for name, it in value.items()}
    if isinstance(value, tuple):
        return [_masked(it, mask) for it in value]
    return value


def _mask(settings: Settings) -> Mask:
    mask = Mask()
    for name, header in settings.headers.items():
        mask.add(header.get_secret_value(), f"header {name}")
    for account in settings.accounts:
        mask.add(account.password.get_secret_value(), "password")
    for text in settings.approver_fields.extra_fields.values():
        mask.add(text, "field")
    for hook in settings.hooks.model_dump().values():
        mask.add(hook or "", "hook")
    return mask
