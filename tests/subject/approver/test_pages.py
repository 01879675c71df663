"""Reading HTML: what a person sees of it."""

import time

import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from pact_conformance.subject.approver.choosing import Act
from pact_conformance.subject.approver.pages import read
from pact_conformance.subject.approver.shown import Shown
from pact_conformance.subject.approver.submission import request_of

URL = "https://provider.example/oauth/consent?x=1"


def page(html: str, kind: str = "text/html; charset=utf-8", **more: str) -> Shown:
    return read(URL, 200, kind, html.encode(), **more)


def sent(html: str, **entries: str | bool) -> list[tuple[str, str]]:
    """What the first form of a page sends, after these fields were filled."""
    shown = page(html)
    places = {it.name: it.at for it in shown.fields}
    act = Act("go on", shown.forms[0], {places[name]: it for name, it in entries.items()})
    return list(request_of(shown, act).pairs)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<p>b", "a b"),
        ("Look <b>up</b> your<br>or<i>ders</i>", "Look up your orders"),
        ("<ul><li>one</li><li>two</li></ul>", "one two"),
        ("&lt;b&gt; &amp; &copy;&nbsp;x", "<b> & © x"),
        ("<style>p{}</style><script>x</script><template>t</template>a", "a"),
        ("<p hidden>a</p><p style='display: none'>b</p>c", "c"),
        ("<noscript>no scripts</noscript>", "no scripts"),
        ("<select><option>a</select><textarea>b</textarea>c", "c"),
        ("<input type=submit value=Go> <input value=typed>", "Go"),
        ("<title>t</title><body>b", "b"),
        ("", ""),
    ],
)
def test_visible_text(html: str, text: str) -> None:
    assert page(html).text == text


@pytest.mark.parametrize(
    "html",
    [
        "<label for=b>Read  <b>orders</b></label><input id=b type=checkbox>",
        "<label><input type=checkbox> Read orders</label>",
        "<input type=checkbox aria-label='Read orders'>",
        "<span id=x>Read</span><span id=y>orders</span><input type=checkbox aria-labelledby='x y'>",
    ],
)
def test_a_label_is_what_a_person_reads_at_a_field(html: str) -> None:
    (field,) = page(f"<form>{html}</form>").fields

    assert field.label == "Read orders"


@pytest.mark.parametrize(
    "html",
    [
        "<form><table><tr><td>Read orders<td><input type=checkbox><tr><td><input></table>",
        "<form><div><div><input type=checkbox></div><p>Read orders</div><div><input></div>",
        "<form><p id=d>Read orders</p><input type=checkbox aria-describedby=d><input>",
    ],
)
def test_what_stands_around_a_box_and_no_other_field(html: str) -> None:
    assert page(html).fields[0].around == "Read orders"


def test_a_form_owns_what_names_it_and_what_is_in_it() -> None:
    shown = page(
        "<form id=a><input name=x><form><input name=y></form></form><input name=z form=a>"
        "<input name=w form=gone><form id=b action=../b></form>"
    )

    assert {it.name: it.form for it in shown.fields} == {"x": 0, "y": 0, "z": 0, "w": None}
    assert [it.action for it in shown.forms] == [URL, "https://provider.example/b"]


def test_what_a_browser_sends() -> None:
    assert sent(
        "<form method=post><input name=a value=1><input type=hidden name=b value=2>"
        "<input name=c disabled>"
        "<fieldset disabled><input name=d></fieldset><input value=nameless><textarea name=e>\nf\ng"
        "</textarea><select name=h><option>i<option selected value=j>J</select><select name=k "
        "multiple><option selected>l<option selected>m</select><input type=checkbox name=n>"
        "<input type=checkbox name=o checked><input type=radio name=p value=q><input type=radio "
        "name=p value=r checked><input type=reset name=s><button name=t value=u>v</button>"
        "<button name=w value=x>y</button><input type=file name=z></form>",
        a="ä",
        n=True,
    ) == [
        ("a", "ä"),
        ("b", "2"),
        ("e", "f\r\ng"),
        ("h", "j"),
        ("k", "l"),
        ("k", "m"),
        ("n", "on"),
        ("o", "on"),
        ("p", "r"),
        ("t", "u"),
        ("z", ""),
    ]


def test_an_image_sends_where_it_was_pressed() -> None:
    shown = page("<form method=post><input type=image name=go src=x></form>")

    request = request_of(shown, Act("go on", shown.forms[0], {}, shown.fields[0]))

    assert request.pairs == (("go.x", "0"), ("go.y", "0"))


@pytest.mark.parametrize("action", ["javascript:send()", "mailto:a@b.example"])
def test_a_form_that_goes_nowhere_over_http_is_told(action: str) -> None:
    with pytest.raises(ValueError, match="not sent over HTTP"):
        sent(f"<form action='{action}'><input name=a>")


@pytest.mark.parametrize(
    ("content", "leads"),
    [
        ("0;url=next", "https://provider.example/oauth/next"),
        ("3; URL='/next'", "https://provider.example/next"),
        ("0, /next", "https://provider.example/next"),
        ("900; url=/login", None),
        ("5", None),
        ("soon", None),
    ],
)
def test_where_a_page_leads_by_itself(content: str, leads: str | None) -> None:
    assert page(f'<meta http-equiv="refresh" content="{content}">').refresh == leads
    assert page("", refresh=content).refresh == leads


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("<p>é".encode(), "text/html"),
        ("<p>é".encode("latin-1"), "text/html; charset=ISO-8859-1"),
        ("<meta charset=windows-1252><p>é".encode("latin-1"), "text/html"),
        (b"\xef\xbb\xbf<p>\xc3\xa9", "text/html"),
        ("é".encode(), "text/plain"),
    ],
)
def test_the_charset_is_heeded(body: bytes, kind: str) -> None:
    assert read(URL, 200, kind, body).text == "é"


@examples(max_examples=200, deadline=None)
@given(
    st.binary(max_size=300), st.sampled_from(["text/html", "text/html; charset=x-no", "", "a/b"])
)
def test_any_body_is_read(body: bytes, kind: str) -> None:
    read(URL, 200, kind, b"<form><input type=checkbox>" + body)


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 200_000,
        "<form><input type=checkbox>" * 200_000,
        "<label for=a><input id=a>" * 200_000,
    ],
    ids=["deep", "many forms", "many labels"],
)
def test_a_monster_is_read_in_time(html: str) -> None:
    started = time.monotonic()

    page(html)

    assert time.monotonic() - started < 5
