"""What a forged token costs: the fuzzing of a run beside a bare httpx client, in turns."""

import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from pact_conformance.counterpart.provider.configuration import AgentConfig, ProviderConfig
from pact_conformance.counterpart.provider.serving import start
from pact_conformance.fuzz.example import Example
from pact_conformance.fuzz.family import Impossible
from pact_conformance.fuzz.forged_tokens.kinds import KINDS
from pact_conformance.fuzz.forged_tokens.making import Maker
from pact_conformance.fuzz.rounds import draw
from pact_conformance.tokens.caller import Caller
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.wire.messages import send_request, user_message
from tests.plugin.suite import CHECKOUT, command, shell

ROUNDS = 3
EXAMPLES = 2000


@dataclass(frozen=True)
class Cost:
    """Medians over the rounds, in forged tokens a second."""

    bare: float
    """Made and sent, and no answer looked at."""
    fuzzing: float
    """Drawn, made, sent, judged and recorded, with a control at any 25."""

    @property
    def ratio(self) -> float:
        """How many times as long the fuzzing takes for one."""
        return self.bare / self.fuzzing


def measure() -> Cost:
    """Fuzz the mock in runs of the suite, and let a bare client send the like in between."""
    keys = [SigningKey.generate(alg, kid=alg) for alg in ("ES256", "RS256")]
    other = SigningKey.generate("ES256", kid="other")
    with JwksServer() as jwks:
        issuers = [f"https://{it}.personal-agent.example" for it in ("benchmark", "other")]
        config = ProviderConfig(
            agents=(
                AgentConfig(issuer=issuers[0], jwks_uri=jwks.publish("k", keys)),
                AgentConfig(issuer=issuers[1], jwks_uri=jwks.publish("o", [other])),
            )
        )
        caller = Caller(issuers[0], config.audience, tuple(keys))
        maker = Maker(caller, Caller(issuers[1], config.audience, (other,)))
        drawn = _drawn(maker)
        with start(config) as provider, httpx.Client(trust_env=False) as client:
            url = f"{provider.brands[0].interface}/message:send"
            rates = [(_bare(client, url, maker, drawn), _fuzzing()) for _ in range(ROUNDS)]
    return Cost(*(statistics.median(it) for it in zip(*rates, strict=True)))


class _Drawing:
    """As much of a family as drawing takes."""

    def __init__(self, maker: Maker) -> None:
        self.kinds = maker.possible()
        self.example = lambda *changes: KINDS.example(changes)


def _drawn(maker: Maker) -> list[Example]:
    seen: list[Example] = []

    def shows(example: Example) -> bool:
        seen.append(example)
        return False

    draw(_Drawing(maker), shows, seed=1, most=EXAMPLES)  # type: ignore[arg-type]
    return seen[:EXAMPLES]


def _bare(client: httpx.Client, url: str, maker: Maker, examples: Sequence[Example]) -> float:
    user = maker.caller.user("b")
    body = json.dumps(send_request(user_message(" "))).encode()
    usual = {b"A2A-Version": b"1.0", b"Content-Type": b"application/json"}
    sent = 0
    started = time.perf_counter()
    for example in examples:
        try:
            token = maker.make(example, user).text.encode()
            client.post(url, headers={**usual, b"Authorization": b"Bearer " + token}, content=body)
        except (Impossible, httpx.LocalProtocolError):
            continue  # of this agent it cannot be made, or in no header be sent
        sent += 1
    return sent / (time.perf_counter() - started)


def _fuzzing() -> float:
    with tempfile.TemporaryDirectory() as folder:
        arguments = ("suites/fuzz/test_3_2_personal_agent_jwt.py", f"--pact-fuzz={EXAMPLES}")
        subprocess.run(
            command("--pact-provider=mock", *arguments, folder=Path(folder)),
            cwd=CHECKOUT,
            env=shell(),
            capture_output=True,
            check=True,
        )
        report = json.loads(Path(folder, "report.json").read_text("utf-8"))
    family = report["fuzzing"]["families"][0]
    tried: int = family["counts"]["tried"]
    seconds: float = family["seconds"]
    return tried / seconds
