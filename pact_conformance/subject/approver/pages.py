"""Reads HTML as a browser without scripts shows it: forms, their fields, labels, links."""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from urllib.parse import urldefrag, urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pact_conformance.subject.approver.html_text import MOST_OF_LABEL, hidden, text_of
from pact_conformance.subject.approver.shown import TICKED, Field, Form, Link, Shown

LONGEST_PAGE = 2 * 1024 * 1024
"""Bytes of a page that are read."""

MOST_TAGS = 20_000
"""Tags of a page that are read; the parser's time grows with the square of their depth."""

MOST_FIELDS = 500
"""Fields, forms and links of a page that are looked at."""

LONGEST_WAIT = 30
"""Seconds after which a page that leads elsewhere by itself is no step of a way any more."""

_FIELDS = "input, button, select, textarea"
# A page may be made to keep its reader busy for ever: elements above a field that are looked at,
# labels of one field, and elements around it.
_DEEPEST = 256
_MOST_LABELS = 4
_MOST_AROUND = 12

_CONTROLS_OF_ONE = 1
_HTML = frozenset({"text/html", "application/xhtml+xml", ""})
_REFRESH = re.compile(
    r"\s*(?P<wait>\d+)(?:\.\d*)?\s*[;,]?\s*(?:url\s*=\s*)?(?P<url>.*)", re.IGNORECASE | re.DOTALL
)
_SUBMITS = re.compile(r"\.\s*(?:requestS|s)ubmit\s*\(")


def read(
    url: str, status: int, content_type: str, body: bytes, *, refresh: str | None = None
) -> Shown:
    """Return what an answer shows.

    Args:
        url: where it came from, after redirects.
        status: its HTTP status.
        content_type: its Content-Type; empty if it has none.
        body: content codings undone.
        refresh: the value of its Refresh header.
    """
    essence, _, parameters = content_type.partition(";")
    charset = re.search(r"charset\s*=\s*\"?([\w-]+)", parameters)
    body = b"<".join(body[:LONGEST_PAGE].split(b"<", MOST_TAGS)[:MOST_TAGS])
    if essence.strip().lower() not in _HTML:
        text = " ".join(_decoded(body, charset and charset[1]).split())
        return Shown(url, status, text, refresh=_led(refresh, url))
    parsed = LexborHTMLParser(_decoded(body, charset[1] if charset else _declared(body)))
    return _Reading(parsed, url).shown(status, refresh)


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8-sig", "replace")
    except LookupError:
        return body.decode("utf-8-sig", "replace")


def _declared(body: bytes) -> str | None:
    """Return the charset that the document declares of itself."""
    head = LexborHTMLParser(body[:1024].decode("latin-1"))
    for node in head.css("meta"):
        attributes = node.attributes
        named = attributes.get("charset")
        within = re.search(r"charset\s*=\s*([\w-]+)", attributes.get("content") or "")
        if named or within:
            return named or (within[1] if within else None)
    return None


def _led(refresh: str | None, base: str) -> str | None:
    """Return where a Refresh (header, or `meta http-equiv`) leads, if it does so soon."""
    seen = _REFRESH.fullmatch(refresh or "")
    target = seen["url"].strip().strip("'\"") if seen else ""
    if seen is None or not target or int(seen["wait"][:6]) > LONGEST_WAIT:
        return None
    return _joined(base, target)


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference.strip())
    except ValueError:  # no URL at all; whoever asks for it is told so
        return reference


class _Reading:
    """One document on its way to a page."""

    def __init__(self, parsed: LexborHTMLParser, url: str) -> None:
        self.root = parsed.root
        self.url = url
        self.controls = self._all(_FIELDS)[:MOST_FIELDS]
        self.forms = self._all("form")[:MOST_FIELDS]

    def _all(self, selector: str) -> list[LexborNode]:
        return [] if self.root is None else self.root.css(selector)

    @cached_property
    def base(self) -> str:
        """The URL that relative ones are relative to (`<base href>`)."""
        hrefs = [it.attributes.get("href") for it in self._all("base[href]")]
        return _joined(self.url, hrefs[0]) if hrefs and hrefs[0] else self.url

    def shown(self, status: int, refresh: str | None) -> Shown:
        scripts = self._all("script")
        inline = [it.text_content or it.text(deep=True) or "" for it in scripts]
        onload = [it.attributes.get("onload") or "" for it in self._all("body")]
        return Shown(
            url=self.url,
            status=status,
            text="" if self.root is None else text_of(self.root),
            forms=tuple(self._form(at, node) for at, node in enumerate(self.forms)),
            fields=tuple(self._field(at, node) for at, node in enumerate(self.controls)),
            links=tuple(self._links()),
            refresh=_led(refresh, self.base) or self._refresh(),
            submits=any(_SUBMITS.search(it) for it in [*inline, *onload]),
            scripted=bool(scripts),
            referrer=self._referrer(),
        )

    def _referrer(self) -> str:
        """Return the last policy that a `meta` element declares, as browsers take it."""
        found = [
            (node.attributes.get("content") or "").strip().lower()
            for node in self._all("meta[name]")
            if (node.attributes.get("name") or "").strip().lower() == "referrer"
        ]
        return found[-1] if found else ""

    def _refresh(self) -> str | None:
        for node in self._all("meta[http-equiv]"):
            if (node.attributes.get("http-equiv") or "").strip().lower() == "refresh":
                return _led(node.attributes.get("content"), self.base)
        return None

    def _links(self) -> Iterator[Link]:
        for at, node in enumerate(self._all("a[href]")[:MOST_FIELDS]):
            url = _joined(self.base, node.attributes.get("href") or "")
            if url.startswith(("http://", "https://")):
                yield Link(at, url, text_of(node))

    def _form(self, at: int, node: LexborNode) -> Form:
        attributes = node.attributes
        return Form(
            at,
            self._action(attributes.get("action")) or self.url,
            (attributes.get("method") or "get").strip().lower(),
            (attributes.get("enctype") or Form.enctype).strip().lower(),
        )

    def _action(self, value: str | None) -> str | None:
        return _joined(self.base, value) if value and value.strip() else None

    def _field(self, at: int, node: LexborNode) -> Field:
        attributes = node.attributes
        kind = _kind(node)
        return Field(
            at=at,
            form=self._owner(node),
            kind=kind,
            name=attributes.get("name") or "",
            value=_value(node, kind),
            id=attributes.get("id") or "",
            label=self._label(node, kind),
            around=self._around(node) if kind in TICKED else "",
            autocomplete=(attributes.get("autocomplete") or "").lower(),
            checked="checked" in attributes,
            disabled=_disabled(node),
            readonly="readonly" in attributes,
            required="required" in attributes,
            shown=kind != "hidden" and not any(map(hidden, _upwards(node))),
            chosen=_chosen(node) if kind == "select" else (),
            action=self._action(attributes.get("formaction")),
            method=(attributes.get("formmethod") or "").strip().lower() or None,
            enctype=(attributes.get("formenctype") or "").strip().lower() or None,
        )

    def _owner(self, node: LexborNode) -> int | None:
        """Return the place of the form that a control belongs to (HTML, "form owner")."""
        named = node.attributes.get("form")
        places = self._places
        if named is not None:
            ids = [form.attributes.get("id") for form in self.forms]
            return ids.index(named) if named and named in ids else None
        for above in _upwards(node):
            if above.mem_id in places:
                return places[above.mem_id]
            # A form that begins between the rows of a table is an empty element in the tree, and
            # owns what follows it there all the same.
            if above.tag == "table":
                empty = [form for form in above.css("form") if form.first_child is None]
                before = [form for form in empty if self._precedes(form, node)]
                if before:
                    return places[before[-1].mem_id]
        return None

    @cached_property
    def _places(self) -> dict[int, int]:
        return {form.mem_id: at for at, form in enumerate(self.forms)}

    def _precedes(self, form: LexborNode, node: LexborNode) -> bool:
        return self._order[form.mem_id] < self._order[node.mem_id]

    @cached_property
    def _order(self) -> dict[int, int]:
        return {node.mem_id: at for at, node in enumerate(self._all("*"))}

    def _label(self, node: LexborNode, kind: str) -> str:
        """Return what a person reads at a control."""
        attributes = node.attributes
        if kind in {"submit", "button", "image"}:
            own = text_of(node) if node.tag == "button" else _value(node, kind)
            return own or attributes.get("aria-label") or attributes.get("alt") or ""
        labels = [*islice((it for it in _upwards(node) if it.tag == "label"), 1)]
        labels += self._labels.get(attributes.get("id") or "", [])[:_MOST_LABELS]
        texts = [text_of(it, MOST_OF_LABEL) for it in labels]
        named = attributes.get("aria-labelledby") or ""
        texts += map(self._text_at, named.split()[:_MOST_LABELS])
        seen = " ".join(dict.fromkeys(filter(None, texts)))
        return seen or attributes.get("aria-label") or attributes.get("placeholder") or ""

    @cached_property
    def _labels(self) -> dict[str, list[LexborNode]]:
        found: dict[str, list[LexborNode]] = {}
        for it in self._all("label[for]"):
            found.setdefault(str(it.attributes.get("for")), []).append(it)
        return found

    def _text_at(self, name: str) -> str:
        """Return the text of what other elements are labelled by, by its id."""
        node = self._by_id.get(name)
        return "" if node is None else text_of(node, MOST_OF_LABEL)

    @cached_property
    def _by_id(self) -> dict[str, LexborNode]:
        return {str(it.attributes.get("id")): it for it in reversed(self._all("[id]"))}

    def _around(self, node: LexborNode) -> str:
        """Return the text of the largest element below the form that holds no further control."""
        found, described = "", node.attributes.get("aria-describedby") or ""
        for above in islice(_upwards(node), _MOST_AROUND):
            ends = above.tag in {"form", "body", "html", "fieldset", "table", "main"}
            if ends or len(above.css(_FIELDS)) > _CONTROLS_OF_ONE:
                break
            found = text_of(above, MOST_OF_LABEL)
        more = map(self._text_at, described.split()[:_MOST_LABELS])
        return " ".join([found, *more]).strip()


def _upwards(node: LexborNode) -> Iterator[LexborNode]:
    above: LexborNode | None = node
    for _ in range(_DEEPEST):
        if above is None:
            return
        yield above
        above = above.parent


def _kind(node: LexborNode) -> str:
    tag, given = node.tag or "", (node.attributes.get("type") or "").strip().lower()
    if tag == "button":
        return given if given in {"button", "reset"} else "submit"
    if tag == "input":
        return given or "text"
    return tag


def _value(node: LexborNode, kind: str) -> str:
    if kind == "textarea":
        text = node.text(deep=True) or ""
        return text.removeprefix("\n")
    value = node.attributes.get("value")
    if value is None:
        return "on" if kind in TICKED else ""
    return value


def _disabled(node: LexborNode) -> bool:
    return any(
        "disabled" in it.attributes
        for it in _upwards(node)
        if it.tag in {"input", "button", "select", "textarea", "fieldset"}
    )


def _chosen(node: LexborNode) -> tuple[str, ...]:
    options = [it for it in node.css("option") if "disabled" not in it.attributes]
    marked = [it for it in options if "selected" in it.attributes]
    if not marked and "multiple" not in node.attributes:
        marked = options[:1]
    if "multiple" not in node.attributes:
        marked = marked[-1:]
    return tuple(_option(it) for it in marked)


def _option(node: LexborNode) -> str:
    value = node.attributes.get("value")
    return value if value is not None else " ".join((node.text(deep=True) or "").split())


def same_page(url: str, other: str) -> bool:
    """Say whether two URLs name one document."""
    return urldefrag(url).url == urldefrag(other).url
