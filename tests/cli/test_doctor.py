"""`doctor` tries each part of the settings, sends no turn, and says what a run will cost."""

import re
from pathlib import Path

import pytest

from pact_conformance.catalogue import load
from pact_conformance.cli import main
from pact_conformance.doctor.needs import given, how_to_give
from pact_conformance.options import TABLE
from pact_conformance.settings import load as load_settings
from pact_conformance.subject.plan import Plan
from tests.forked import Ended
from tests.plugin.suite import run
from tests.session.subjects import KEYS, brand, mock, mock_behind, settings
from tests.subject.servers import Reply, Request

from .command import call


@pytest.fixture(scope="module")
def seen() -> list[str]:
    """The bodies that reached the Provider."""
    return []


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory, seen: list[str]) -> Ended:
    """A doctor's visit to a Provider of a tester who set little."""

    def remember(_: Request, reply: Reply) -> Reply:
        seen.append(reply.body.decode("utf-8", "replace"))
        return reply

    with mock_behind(remember) as server:
        return call(
            "doctor",
            cwd=tmp_path_factory.mktemp("doctor"),
            environment=settings(brand(server)),
        )


def test_a_provider_that_can_be_tested_is_ready(
    ended: Ended,
) -> None:
    assert ended.returncode == 0, ended.stdout
    assert ended.stdout.rstrip().endswith("\nready")


@pytest.mark.parametrize("part", ["card", "interface", "keys", "authentication", "clock"])
def test_it_tries(part: str, ended: Ended) -> None:
    assert re.search(rf"^ready +{part} ", ended.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("part", "setting"),
    [
        ("second Brand", "E2E_OTHER_BRAND"),
        ("second agent", "PA_OTHER_ISSUER"),
        ("disabled agent", "PA_DISABLED_ISSUER"),
        ("spare agent", "PA_SPARE_ISSUER"),
        ("own JWKS", "PA_JWKS_LISTEN"),
        ("hooks", "docs/settings.md"),
    ],
)
def test_it_says_what_is_missing(part: str, setting: str, ended: Ended) -> None:
    assert re.search(
        rf"^missing +{part} .*\n +→ .*{re.escape(setting)}", ended.stdout, re.MULTILINE
    )


def test_it_names_the_requirements_that_stay_untested(
    ended: Ended,
) -> None:
    untested = ended.stdout.partition("Without it untested:")[2]

    assert re.search(r"E2E_OTHER_BRAND\n +.*2\.1-card-per-brand", untested)


def test_it_sends_no_turn(ended: Ended, seen: list[str]) -> None:
    assert ended.returncode == 0
    assert seen
    assert not [body for body in seen if "ROLE_AGENT" in body]


def test_it_shows_no_key(ended: Ended) -> None:
    for key in KEYS:
        assert str(key.private_jwk()["d"]) not in ended.stdout


def test_the_cost_is_about_that_of_a_run(tmp_path: Path) -> None:
    told = call("doctor", cwd=tmp_path).stdout
    ran = run(folder=tmp_path / "report")
    requests, turns = (
        int(re.search(pattern, told)[1])  # type: ignore[index]
        for pattern in (r"about (\d+) requests", r"about (\d+) turns")
    )

    assert requests == pytest.approx(ran.report["requests"], rel=0.3)
    assert turns >= ran.report["turns"]


def test_what_does_not_authenticate_blocks(tmp_path: Path) -> None:
    with mock() as provider:
        environment = settings(provider.brands[0].card, PA_AUDIENCE="another")
        ended = call("doctor", cwd=tmp_path, environment=environment)

    assert ended.returncode == 1
    assert re.search(r"^blocked +authentication +nothing-authenticates", ended.stdout, re.MULTILINE)


def test_an_unreachable_provider_blocks(tmp_path: Path) -> None:
    ended = call("doctor", cwd=tmp_path, environment=settings("http://127.0.0.1:9/card.json"))

    assert ended.returncode == 1
    assert re.search(r"^blocked +card +provider-unreachable", ended.stdout, re.MULTILINE)


def test_a_second_agent_that_is_refused_blocks(tmp_path: Path) -> None:
    with mock() as provider:
        good = settings(provider.brands[0].card)
        other = {"PA_OTHER_ISSUER": "https://nobody.example"}
        other["PA_OTHER_PRIVATE_JWK"] = good["PA_PRIVATE_JWK"]
        ended = call("doctor", cwd=tmp_path, environment={**good, **other})

    assert ended.returncode == 1
    assert re.search(
        r"^blocked +second agent +https://nobody.example gets 401", ended.stdout, re.MULTILINE
    )


def test_a_disabled_agent_that_is_served_blocks(tmp_path: Path) -> None:
    with mock() as provider:
        good = settings(provider.brands[0].card)
        disabled = {"PA_DISABLED_ISSUER": good["PA_ISSUER"]}
        disabled["PA_DISABLED_PRIVATE_JWK"] = good["PA_PRIVATE_JWK"]
        ended = call("doctor", cwd=tmp_path, environment={**good, **disabled})

    assert ended.returncode == 1
    assert re.search(r"^blocked +disabled agent ", ended.stdout, re.MULTILINE)


def test_hooks_are_looked_at_and_not_called(tmp_path: Path) -> None:
    (tmp_path / "pact-conformance.toml").write_text(
        '[hooks]\nclose_conversation = "cmd:touch called"\nfail_agent = "cmd:no-such-command"\n'
    )
    with mock() as provider:
        ended = call("doctor", cwd=tmp_path, environment=settings(provider.brands[0].card))

    assert ended.returncode == 1
    assert re.search(r"^ready +hook close_conversation ", ended.stdout, re.MULTILINE)
    assert re.search(r"^blocked +hook fail_agent +there is no command", ended.stdout, re.MULTILINE)
    assert not (tmp_path / "called").exists()


def test_it_leaves_nothing_behind(tmp_path: Path) -> None:
    call("doctor", cwd=tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_bad_setting_is_one_line(tmp_path: Path) -> None:
    ended = call("doctor", "--max-wait=soon", cwd=tmp_path)

    assert ended.returncode == 4
    assert len(ended.stdout.splitlines()) == 1


def test_it_takes_every_option_of_a_run() -> None:
    taken = {name for parameter in main.commands["doctor"].params for name in parameter.opts}
    flags = {option.flag for option in TABLE if not option.secret}

    assert flags | {flag.replace("--pact-", "--") for flag in flags} <= taken


def test_every_need_of_a_provider_can_be_told() -> None:
    """A need that is no setting would be missing for ever."""
    nothing = load_settings({}, environment={})
    needs = {need for row in load().of(role="provider") for need in row.needs}
    # Not to state it says something, too.
    needs -= {"PA_OPEN_AUDIENCE"}

    assert all(not given(need, nothing, Plan()) and how_to_give(need) for need in needs)


def test_it_has_the_user_sign_in_where_that_is_asked_for(tmp_path: Path) -> None:
    ended = call("doctor", "--sign-in", "--provider=mock", cwd=tmp_path)

    assert ended.returncode == 0, ended.stdout
    assert re.search(r"^ready +sign-in +the User signs in and approves", ended.stdout, re.MULTILINE)


def test_a_sign_in_that_fails_is_told(tmp_path: Path) -> None:
    (tmp_path / "pact-conformance.toml").write_text(
        '[[accounts]]\nusername = "jane"\npassword = "not-hers"\n'
    )

    with mock() as provider:
        ended = call(
            "doctor",
            "--sign-in",
            "--approver=form",
            cwd=tmp_path,
            environment=settings(provider.brands[0].card),
        )

    assert ended.returncode == 1, ended.stdout
    assert re.search(r"^blocked +sign-in ", ended.stdout, re.MULTILINE)
