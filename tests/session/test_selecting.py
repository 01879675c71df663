"""A selection that pytest will not understand is told before anything is sent."""

import pytest
from _pytest.mark.expression import Expression

from pact_conformance.session import selecting

SELECTIONS = (
    "must",
    "must and not should",
    "not (must or 3.2-exp-lifetime)",
    "((must))",
    "requirement(id='3.2') and must",
    'requirement(a="x", b=1)',
    "test_x[a-b]",
    "a or b and c",
    "-a",
    "1",
    "None",
    "lambda",
    "must and",
    "must should",
    "and must",
    "not",
    "(must",
    "must)",
    "must()",
    "must(1)",
    "must, should",
    "must == should",
    "§3.2",
    "must & should",
    "'must'",
    "must\nor may",
    "must # should",
    "not (must=1)",
    "()",
    "must if a else b",
)


@pytest.mark.parametrize("given", SELECTIONS)
def test_it_understands_what_pytest_does(given: str) -> None:
    try:
        Expression.compile(given)
    except SyntaxError:
        understood = False
    else:
        understood = True

    assert selecting._is_selection(given) == understood
