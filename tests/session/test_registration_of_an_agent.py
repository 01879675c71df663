"""What no flaw of the mock personal agent can show: where its keys are, and a note on discovery."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.plugin.suite import Run, run

HTTPS, DISCOVERY = "3.1-agent-jwks-https", "3.1-agent-oidc-discovery"

AGENT = "python:pact_conformance.counterpart.personal_agent.adapter:factory"


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A run against an agent whose issuer serves a document about another, and keys without TLS."""

    class Discovery(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_it = self.path == "/pact/.well-known/openid-configuration"
            self.send_response(200 if is_it else 404)
            self.end_headers()
            document = {"issuer": "https://login.agent.example", "jwks_uri": "https://x.example"}
            self.wfile.write(json.dumps(document).encode() if is_it else b"")

        def log_message(self, *_about: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Discovery) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield run(
            "suites/personal_agent",
            f"--pact-agent={AGENT}",
            f"--pact-agent-issuer=http://127.0.0.1:{server.server_port}/pact",
            "--pact-agent-jwks=http://keys.agent.example/jwks.json",
            f"-k={HTTPS} or {DISCOVERY}",
            folder=tmp_path_factory.mktemp("registration"),
        )
        server.shutdown()


def test_a_key_set_without_tls_fails(ended: Run) -> None:
    (check,) = ended.requirement(HTTPS)["checks"]

    assert check["verdict"] == "failed"
    assert check["got"] == "http://keys.agent.example"


def test_what_is_amiss_with_a_discovery_document_is_noted(ended: Run) -> None:
    (check,) = ended.requirement(DISCOVERY)["checks"]

    assert check["verdict"] == "passed"
    assert check["notes"] == [
        "there is a document of OIDC discovery, but its issuer is 'https://login.agent.example'"
    ]
