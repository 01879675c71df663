"""What a tester of somebody else's Provider gives: spare registrations, own JWKS, hooks."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pact_conformance.counterpart.provider.configuration import AgentConfig, ProviderConfig
from pact_conformance.counterpart.provider.serving import RunningProvider, start
from pact_conformance.tokens.keys import SigningKey
from tests.plugin.suite import run
from tests.session.subjects import AUDIENCE, PRIVATE

HOOKS = ("close_conversation", "disable_agent", "enable_agent", "fail_agent", "rate_limit")
WHOM = {"": "primary", "OTHER_": "other", "SPARE_": "spare"}

REGISTRATION = "3.1-new-key or 3.1-withdrawn-key or 3.1-foreign or 3.1-jwks or 3.1-disabled"


@pytest.fixture(name="listen")
def free_address() -> str:
    """An address that nobody listens on yet, since a Provider has to know it before the run."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


@contextmanager
def registered(listen: str, *, open_policy: bool = False) -> Iterator[RunningProvider]:
    """The mock Provider, knowing three personal agents whose keys the run serves."""
    agents = tuple(
        AgentConfig(issuer=issuer(listen, name), jwks_uri=f"http://{listen}/{name}/jwks.json")
        for name in WHOM.values()
    )
    with start(ProviderConfig(agents=agents, audience=AUDIENCE, open=open_policy)) as running:
        yield running


def issuer(listen: str, name: str) -> str:
    return f"http://{listen}/issuers/{name}"


def private(name: str) -> str:
    if name == "primary":
        return PRIVATE
    return json.dumps(SigningKey.generate("ES256", kid=f"{name}-key").private_jwk())


def given(running: RunningProvider, listen: str, *names: str) -> dict[str, str]:
    """The environment of a tester who has these registrations."""
    environment = {
        "E2E_PROVIDER": running.brands[0].card,
        "PA_AUDIENCE": AUDIENCE,
        "PA_JWKS_LISTEN": listen,
    }
    for variable, name in WHOM.items():
        if name in names:
            environment[f"PA_{variable}ISSUER"] = issuer(listen, name)
            environment[f"PA_{variable}PRIVATE_JWK"] = private(name)
    return environment


def hooked(running: RunningProvider, folder: Path) -> str:
    """The option that names a file with the mock's control endpoint as every hook."""
    path = folder / "hooks.toml"
    path.write_text("[hooks]\n" + "".join(f'{name} = "{running.control}"\n' for name in HOOKS))
    return f"--pact-config={path}"


def test_a_spare_registration_and_hooks_decide_everything_about_registration(
    listen: str, tmp_path: Path
) -> None:
    with registered(listen) as running:
        ran = run(
            hooked(running, tmp_path),
            f"-k={REGISTRATION} or 3.1-keys or 4.2-closed or 4.2-new or 6-internal or 6-429",
            folder=tmp_path,
            environment=given(running, listen, "primary", "spare"),
        )
    verdicts = ran.verdicts()

    assert ran.code == 0, ran.output
    for id_ in (
        "3.1-disabled",
        "3.1-keys-registered-only",
        "3.1-new-key",
        "3.1-withdrawn-key",
        "3.1-foreign-keys-in-set",
        "3.1-jwks-unreachable",
        "4.2-closed",
        "4.2-closed-foreign",
        "4.2-new-after-closed",
        "6-internal",
        "6-429-retry-after",
    ):
        assert verdicts[id_] == "passed", id_


def test_the_keys_of_a_second_registration_are_left_alone(listen: str, tmp_path: Path) -> None:
    with registered(listen) as running:
        ran = run(
            f"-k={REGISTRATION}",
            folder=tmp_path,
            environment=given(running, listen, "primary", "other"),
        )
    verdicts = ran.verdicts()

    for id_ in (
        "3.1-new-key",
        "3.1-withdrawn-key",
        "3.1-foreign-keys-in-set",
        "3.1-jwks-unreachable",
        "3.1-disabled",
    ):
        assert verdicts[id_] == "untested"
        assert "PA_SPARE_ISSUER" in ran.requirement(id_)["do"]


def test_an_open_provider_is_tested_with_an_agent_that_nobody_registered(
    listen: str, tmp_path: Path
) -> None:
    with registered(listen, open_policy=True) as running:
        environment = given(running, listen, "primary")
        ran = run(
            "-k=3.1-open-policy or 3.1-issuer-exact or 3.1-unknown",
            folder=tmp_path,
            environment={**environment, "PA_OPEN_AUDIENCE": AUDIENCE},
        )
    verdicts = ran.verdicts()

    assert verdicts["3.1-open-policy"] == verdicts["3.1-unknown-issuer"] == "passed"
    assert verdicts["3.1-issuer-exact"] == "not applicable"


def test_a_closed_provider_lets_in_nobody_who_is_not_registered(
    listen: str, tmp_path: Path
) -> None:
    with registered(listen) as running:
        environment = given(running, listen, "primary")
        ran = run(
            "-k=3.1-open-policy",
            folder=tmp_path,
            environment={**environment, "PA_OPEN_AUDIENCE": AUDIENCE},
        )

    assert ran.verdicts()["3.1-open-policy"] == "not applicable"
