"""Answers that lead a request elsewhere: no token and no code may go there."""

from collections.abc import Callable, Mapping

from pact_conformance.fuzz.hostile_answers.draft import Answered, Draft
from pact_conformance.fuzz.hostile_answers.entering import kind
from pact_conformance.fuzz.hostile_answers.writing import Raw
from pact_conformance.fuzz.kind import Kind, OneOf

Targets = Mapping[str, Callable[[Draft], str]]


def _far(draft: Draft) -> str:
    return draft.names.elsewhere("target", far=True)


_TARGETS: Targets = {
    "another host": _far,
    "another path": lambda draft: draft.names.elsewhere("target"),
    "a relative path": lambda _: "../elsewhere/target",
    "another host, without a scheme": lambda draft: _far(draft).partition(":")[2],
}
# By how the URL looks, which may mislead who reads its beginning.
_ODD_TARGETS: Targets = {
    "another host, with ours before an @": lambda draft: (
        f"{draft.names.base}@{_far(draft).partition('//')[2]}"
    ),
    "another host, in capitals": lambda draft: _far(draft).replace("http", "HTTP", 1),
    "nothing": lambda _: "",
    "a script": lambda _: "javascript:alert(1)",
    "a file": lambda _: "file:///etc/passwd",
    "no URL": lambda _: "http://[",
}
# By the first two a POST stays one (RFC 9110 §15.4).
_REDIRECTS = (307, 308, 301, 302, 303)
_KEEPING = (307, 308, 302)

# The areas by which a scene is played signed in.
_SIGNED_IN = ("error.answer", "message.turns", "offer.taken")


def _leading(status: int, url: str) -> Answered:
    leading = Answered(Raw(""), "text/plain", status=status)
    leading.headers["Location"] = url
    return leading


def _refresh(draft: Draft, leading: Answered) -> None:
    """Refuse the token, and lead elsewhere whoever renews it."""
    draft.error = Answered(Raw(""), "text/plain", status=401)
    draft.error.headers["WWW-Authenticate"] = 'Bearer realm="a2a", error="invalid_token"'
    draft.refresh = leading


def _put(answer: str) -> Callable[[Draft, Answered], None]:
    return lambda draft, leading: setattr(draft, answer, leading)


_PLACES: tuple[tuple[str, str, Callable[[Draft, Answered], None], str, tuple[str, ...]], ...] = (
    ("error", "a message", _put("error"), "2.2-agent-send-url", ("error.answer", "message.turns")),
    ("signed-in", "a message under a delegation token", _put("error"), "5.4-agent-one-brand",
     _SIGNED_IN),
    ("device", "the device authorization request", _put("device"), "5.1-agent-endpoints",
     ("device.document",)),
    ("token", "a poll", _put("token"), "5.1-agent-endpoints", ("token.document",)),
    ("refresh", "a refresh", _refresh, "5.1-agent-endpoints", (*_SIGNED_IN, "token.refresh")),
    ("metadata", "the request for the metadata", _put("metadata"), "5.1-agent-endpoints",
     ("metadata.document",)),
    ("keys", "the request for the keys", _put("keys"), "5.1-agent-endpoints", ("keys.document",)),
)  # fmt: skip


def _kind(
    id_: str,
    words: str,
    put: Callable[[Draft, Answered], None],
    requirement: str,
    slots: tuple[str, ...],
    *,
    targets: Targets,
    statuses: tuple[int, ...],
) -> Kind[Draft]:
    def apply(draft: Draft, status: int, target: str) -> None:
        put(draft, _leading(status, targets[target](draft)))

    takes = [OneOf(statuses), OneOf(tuple(targets))]
    return kind(id_, words, "either", requirement, apply, *slots, takes=takes)


REDIRECTS: tuple[Kind[Draft], ...] = tuple(
    _kind(
        f"{name}-redirect{more}",
        f"{what} gets {{0}}, which leads to {{1}}",
        put,
        requirement,
        slots,
        targets=targets,
        statuses=statuses,
    )
    for name, what, put, requirement, slots in _PLACES
    for more, targets, statuses in (
        ("", _TARGETS, _REDIRECTS),
        ("-odd", _ODD_TARGETS, _KEEPING),
    )
)
