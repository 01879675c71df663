"""Every single-valued setting once: its key, its environment variable, its words.

The plugin makes pytest's options of this table and the settings read the environment by it. It
imports nothing heavy, so that it costs other people's pytest runs nothing.
"""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "flag", "whole", "seconds"]


@dataclass(frozen=True)
class Option:
    """One setting: `key` in the file, `--pact-<key>` for pytest, `environment` for the shell.

    A secret has no option, so that no process list shows it.
    """

    key: str
    environment: str | None
    words: str
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    secret: bool = False

    @property
    def flag(self) -> str:
        """The option's name on pytest's command line."""
        return "--pact-" + self.key.replace("_", "-")

    @property
    def name(self) -> str:
        """What messages call the setting: its variable if it has one, else its option."""
        return self.environment or self.flag


TABLE: tuple[Option, ...] = (
    Option(
        "provider",
        "E2E_PROVIDER",
        "the Brand under test: its card URL, its interface URL or the Brand's domain; "
        "'mock' is built in; 'any' and 'reference' read PROVIDER_URL and CUSTOMER_ID",
    ),
    Option("provider_url", "PROVIDER_URL", "the Provider's base URL"),
    Option("customer_id", "CUSTOMER_ID", "the brandId of the Brand under test"),
    Option("other_customer_id", "OTHER_CUSTOMER_ID", "the brandId of a second Brand"),
    Option("other_brand", "E2E_OTHER_BRAND", "a second Brand of the same Provider"),
    Option("unknown_brand", "E2E_UNKNOWN_BRAND", "the card URL of a brandId nobody has"),
    Option(
        "brand_domain",
        "E2E_BRAND_DOMAIN",
        "the Brand's own domain or origin, where its card is served or redirected to",
    ),
    Option(
        "allow_origins",
        None,
        "origins that tokens may go to besides the one that serves the card, comma-separated",
    ),
    Option("issuer", "PA_ISSUER", "the registered personal agent's issuer"),
    Option("audience", "PA_AUDIENCE", "the audience the Provider assigned to it"),
    Option(
        "private_jwk", "PA_PRIVATE_JWK", "its key(s): JWK or JWK Set, JSON or @file", secret=True
    ),
    Option("other_issuer", "PA_OTHER_ISSUER", "a second registered personal agent's issuer"),
    Option("other_audience", "PA_OTHER_AUDIENCE", "its audience, where it differs"),
    Option("other_private_jwk", "PA_OTHER_PRIVATE_JWK", "its key(s)", secret=True),
    Option("disabled_issuer", "PA_DISABLED_ISSUER", "a disabled personal agent's issuer"),
    Option("disabled_audience", "PA_DISABLED_AUDIENCE", "its audience, where it differs"),
    Option("disabled_private_jwk", "PA_DISABLED_PRIVATE_JWK", "its key(s)", secret=True),
    Option(
        "spare_issuer",
        "PA_SPARE_ISSUER",
        "the issuer of a registration whose keys and state checks may change",
    ),
    Option("spare_audience", "PA_SPARE_AUDIENCE", "its audience, where it differs"),
    Option("spare_private_jwk", "PA_SPARE_PRIVATE_JWK", "its key(s)", secret=True),
    Option(
        "open_audience",
        "PA_OPEN_AUDIENCE",
        "the audience of personal agents that are not registered, if the Provider takes such",
    ),
    Option("jwks_listen", "PA_JWKS_LISTEN", "host:port where the suite serves its own JWKS"),
    Option("jwks_url", "PA_JWKS_URL", "the URL under which the Provider reaches that JWKS"),
    Option(
        "approver",
        "E2E_APPROVER",
        "who plays the User: form, browser, cmd:…, http(s)://… or manual",
    ),
    Option(
        "agent",
        "E2E_AGENT",
        "the personal agent under test: mock, python:…, cmd:…, http(s)://… or manual",
    ),
    Option("agent_issuer", "E2E_AGENT_ISSUER", "the issuer of the personal agent under test"),
    Option("agent_jwks", "E2E_AGENT_JWKS", "the URL of its JWKS"),
    Option("mock_listen", "E2E_MOCK_LISTEN", "host:port where the mock Provider listens for it"),
    Option("mock_url", "E2E_MOCK_URL", "the mock Provider's public URL"),
    Option(
        "mock_tls",
        "E2E_MOCK_TLS",
        "the mock Provider's certificate: CERT.pem,KEY.pem, or 'made' for the run",
    ),
    Option("mock_flaws", None, "flaws of the built-in mock Provider, by name, comma-separated"),
    Option("mock_variants", None, "legal variants of it, by name, comma-separated"),
    Option("agent_flaws", None, "flaws of the built-in personal agent, by name, comma-separated"),
    Option("agent_variants", None, "legal variants of it, by name, comma-separated"),
    Option(
        "mock_think",
        None,
        "seconds that its Brands' agents take for a turn, answering in changing words like a model",
        "seconds",
    ),
    Option(
        "test_timeout_ms",
        "E2E_TEST_TIMEOUT_MS",
        "deadline of one check, in milliseconds (60000)",
        "whole",
    ),
    Option("profile", None, "what to test (auto)", choices=("identity", "delegated", "auto")),
    Option("report", None, "the folder of the reports (reports)"),
    Option(
        "summary",
        None,
        "a file for the summary in Markdown; in GitHub Actions the job's page has it anyway",
    ),
    Option("baseline", None, "a file of known failures"),
    Option("update_baseline", None, "rewrite that file from this run", "flag"),
    Option("strict", None, "a warning fails", "flag"),
    Option("complete", None, "an incomplete profile fails the run", "flag"),
    Option(
        "operations",
        None,
        "whether GET tasks, get and cancel may answer a plain 404 or 405: strict (no) or "
        "lenient (warned)",
        choices=("strict", "lenient"),
    ),
    Option("max_turns", None, "the most turns that a run may cost", "whole"),
    Option("max_wait", None, "the longest wait for a Retry-After, in seconds (60)", "seconds"),
    Option("fuzz", None, "examples a family of the fuzzing; 0 is off (0), 2000 is usual", "whole"),
    Option("seed", None, "the seed of the fuzzing: the same examples each time (1)", "whole"),
    Option(
        "fuzz_rate",
        None,
        "the most requests a second of the fuzzing (25; as fast as it goes for the built-in "
        "Provider)",
        "seconds",
    ),
    Option(
        "fuzz_asks",
        None,
        "the most that the fuzzing asks a personal agent to do (300; as much as it takes for the "
        "built-in one)",
        "whole",
    ),
    Option(
        "fuzz_turns",
        None,
        "the most turns that the fuzzing may cost (0; as many as it takes for the built-in "
        "Provider)",
        "whole",
    ),
    Option("kept", None, "a file of kept examples of your own, tried again in every run"),
    Option("example", None, "one example of the fuzzing, as a report has it: nothing else is run"),
    Option(
        "hardening",
        "E2E_HARDENING",
        "measure advice beyond the specification as well; no profile rests on it",
        "flag",
    ),
)

BY_KEY = {option.key: option for option in TABLE}
