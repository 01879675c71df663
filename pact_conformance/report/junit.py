"""JUnit's XML of a report: what CI systems show, one suite for each section of a role.

pytest writes its own during a run (`--junitxml`); this one is made of `report.json` alone, and has
the requirements that nothing was tried for as well.
"""

from collections.abc import Iterable, Mapping
from io import BytesIO
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from pact_conformance.report import sections
from pact_conformance.report.cited import Cited, Document, Row, cited, untried
from pact_conformance.report.text import harmless

# What JUnit calls a verdict; what is not named here passed.
_ELEMENTS: Mapping[str, str] = {
    "failed": "failure",
    "inconclusive": "error",
    "untested": "skipped",
    "not applicable": "skipped",
}


def render(document: Document) -> str:
    """Return the whole file as text."""
    root = Element("testsuites", name=_text(document["suite"]["name"]))
    suites: dict[str, Element] = {}
    for each in cited(document):
        _case(_suite(root, suites, each.rows[0], document), each)
    for row in untried(document):
        _nothing_tried(_suite(root, suites, row, document), row)
    for element in (*suites.values(), root):
        _count(element)
    indent(root, " ")
    written = BytesIO()
    ElementTree(root).write(written, encoding="utf-8", xml_declaration=True)
    return written.getvalue().decode() + "\n"


def _suite(root: Element, suites: dict[str, Element], row: Row, document: Document) -> Element:
    name = f"{sections.role(row['role'])}: {sections.title(row['section'])}"
    if name not in suites:
        suites[name] = SubElement(
            root, "testsuite", name=name, timestamp=document["started"].partition("+")[0]
        )
    return suites[name]


def _case(suite: Element, each: Cited) -> None:
    check, verdict = each.check, each.check["verdict"]
    case = SubElement(
        suite,
        "testcase",
        classname=_class(each.rows[0]),
        name=_text(each.title),
        time=f"{check['seconds']:.3f}",
    )
    _properties(case, each.rows, verdict, check.get("known", ""))
    if check.get("known"):
        SubElement(case, "skipped", type="known", message=_text(f"known: {check['known']}"))
    elif verdict in _ELEMENTS:
        said = SubElement(case, _ELEMENTS[verdict], type=verdict, message=_text(_message(check)))
        said.text = _text("\n".join(_told(each)))
    elif check["warnings"] or verdict == "warned":
        SubElement(case, "system-out").text = _text("\n".join(_told(each)))


def _nothing_tried(suite: Element, row: Row) -> None:
    case = SubElement(suite, "testcase", classname=_class(row), name=row["id"], time="0.000")
    _properties(case, (row,), row["verdict"], "")
    said = "; ".join(it for it in (row["reason"], row["do"]) if it)
    SubElement(case, "skipped", type=row["verdict"], message=_text(f"{row['verdict']}: {said}"))


def _class(row: Row) -> str:
    return f"{row['role']}.{row['id']}"


def _properties(case: Element, rows: Iterable[Row], verdict: str, known: str) -> None:
    properties = SubElement(case, "properties")
    said = [("requirement", row["id"]) for row in rows]
    said += [("verdict", verdict)] + ([("known", known)] if known else [])
    for name, value in said:
        SubElement(properties, "property", name=name, value=_text(value))


def _message(check: Row) -> str:
    if check["expected"]:
        return f"expected {check['expected']}; got {check['got']}"
    return check["reason"] or "; ".join(check["warnings"]) or check["verdict"]


def _told(each: Cited) -> Iterable[str]:
    check = each.check
    for row in each.rows:
        yield f"{row['id']} (§{row['section']}, {row['level']}): {row['statement']}"
    for label in ("expected", "got", "reason", "do"):
        if check[label]:
            yield f"{label}: {check[label]}"
    yield from (f"warning: {it}" for it in check["warnings"])
    if check["exchanges"]:
        yield f"exchanges: {', '.join(check['exchanges'])}"


def _count(element: Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for name, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(name, str(sum(case.find(kind) is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _text(text: str) -> str:
    """Return text without what XML cannot hold, nor what turns a reader's screen around."""
    return harmless(text)
