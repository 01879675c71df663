"""Do with other people's clients what a test asks; run by the interpreter of `driven.py`.

A line of standard input is a JSON object `{"do": NAME, …}` with the arguments of a function below.
A line of standard output answers it: `{"returned": …}`, or `{"raised": NAME, "said": TEXT}` for
what the library raised. Nothing of ours reads or writes the exchange between.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import httpx
from a2a.client import (  # type: ignore[import-not-found]
    A2ACardResolver,
    AuthInterceptor,
    ClientCallContext,
    ClientConfig,
    ClientFactory,
    CredentialService,
)
from a2a.types import (  # type: ignore[import-not-found]
    CancelTaskRequest,
    GetTaskRequest,
    ListTasksRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
)
from authlib.integrations.httpx_client import OAuth2Client  # type: ignore[import-untyped]
from authlib.oauth2.rfc8414 import (  # type: ignore[import-untyped]
    AuthorizationServerMetadata,
)
from authlib.oauth2.rfc8628 import DEVICE_CODE_GRANT_TYPE  # type: ignore[import-untyped]
from google.protobuf.json_format import MessageToDict  # type: ignore[import-untyped]
from joserfc import jws, jwt  # type: ignore[import-not-found]
from joserfc.jwk import KeySet  # type: ignore[import-not-found]
from oauthlib.oauth2 import DeviceClient  # type: ignore[import-untyped]

SECONDS = 10.0


class OneToken(CredentialService):  # type: ignore[misc]
    """The personal-agent JWT, for the scheme of the card that asks for it."""

    def __init__(self, token: str) -> None:
        self._token = token

    async def get_credentials(self, security_scheme_name: str, _context: object) -> str | None:
        """Return it for the scheme that the mock's card gives this name."""
        return self._token if security_scheme_name == "paJwt" else None


def card(*, interface: str) -> Any:  # noqa: ANN401  # JSON, here and below
    """What the SDK reads of the card."""

    async def read() -> Any:  # noqa: ANN401
        async with httpx.AsyncClient(timeout=SECONDS, trust_env=False) as client:
            return MessageToDict(await A2ACardResolver(client, interface).get_agent_card())

    return asyncio.run(read())


def _call(
    interface: str, token: str, delegation: str | None, ask: Callable[..., Awaitable[Any]]
) -> Any:  # noqa: ANN401
    """Find the interface on the card, and ask there with what the card wants."""
    headers = {"X-A2A-User-Delegation": f"Bearer {delegation}"} if delegation else {}

    async def call() -> Any:  # noqa: ANN401
        async with httpx.AsyncClient(timeout=SECONDS, trust_env=False) as client:
            config = ClientConfig(
                streaming=False, httpx_client=client, supported_protocol_bindings=["HTTP+JSON"]
            )
            found = await ClientFactory(config).create_from_url(
                interface, interceptors=[AuthInterceptor(OneToken(token))]
            )
            return await ask(found, ClientCallContext(service_parameters=headers))

    return asyncio.run(call())


def send(
    *,
    interface: str,
    token: str,
    message_id: str,
    text: str,
    context_id: str = "",
    task_id: str = "",
    delegation: str | None = None,
) -> Any:  # noqa: ANN401
    """Send a message by the SDK, and give what it made of the answers."""
    message = Message(
        role=Role.ROLE_USER,
        message_id=message_id,
        context_id=context_id,
        task_id=task_id,
        parts=[Part(text=text)],
    )

    async def ask(client: Any, context: Any) -> list[Any]:  # noqa: ANN401
        answers = client.send_message(SendMessageRequest(message=message), context=context)
        return [MessageToDict(answer) async for answer in answers]

    return _call(interface, token, delegation, ask)


def tasks(*, interface: str, token: str) -> Any:  # noqa: ANN401
    """List tasks by the SDK."""

    async def ask(client: Any, context: Any) -> Any:  # noqa: ANN401
        return MessageToDict(await client.list_tasks(ListTasksRequest(), context=context))

    return _call(interface, token, None, ask)


def task(*, interface: str, token: str, task_id: str, cancel: bool = False) -> Any:  # noqa: ANN401
    """Look a task up by the SDK, or cancel it."""

    async def ask(client: Any, context: Any) -> Any:  # noqa: ANN401
        if cancel:
            return MessageToDict(
                await client.cancel_task(CancelTaskRequest(id=task_id), context=context)
            )
        return MessageToDict(await client.get_task(GetTaskRequest(id=task_id), context=context))

    return _call(interface, token, None, ask)


def _session(token: str, client_id: str) -> OAuth2Client:
    """Authlib's client, authenticated by the personal-agent JWT as PACT asks."""

    def authenticate(
        _client: object, _method: str, uri: str, headers: dict[str, str], body: str
    ) -> tuple[str, dict[str, str], str]:
        return uri, {**headers, "Authorization": f"Bearer {token}"}, body

    session = OAuth2Client(
        client_id,
        token_endpoint_auth_method="personal_agent_jwt",  # a name
        timeout=SECONDS,
        trust_env=False,
    )
    session.register_client_auth_method(("personal_agent_jwt", authenticate))
    return session


def metadata(*, url: str) -> Any:  # noqa: ANN401
    """Read the metadata as RFC 8414 has it; Authlib judges members that need no https.

    It has no mercy with an empty `response_types_supported`, which RFC 8414 asks for in §2 and
    leaves out in §3.2; a server that has device codes alone cannot please everybody there.
    """
    document = httpx.get(url, timeout=SECONDS, trust_env=False).json()
    read = AuthorizationServerMetadata(document)
    for name in (
        "grant_types_supported",
        "scopes_supported",
        "token_endpoint_auth_methods_supported",
    ):
        getattr(read, f"validate_{name}")()
    return document


def begin(*, url: str, token: str, client_id: str, scope: str) -> Any:  # noqa: ANN401
    """Begin a device flow by Authlib's session."""
    with _session(token, client_id) as session:
        form = {"client_id": client_id, "scope": scope}
        headers = {"Authorization": f"Bearer {token}"}
        answer = session.request("POST", url, data=form, headers=headers, withhold_token=True)
    return {"status": answer.status_code, **answer.json()}


def redeem(*, url: str, token: str, client_id: str, device_code: str) -> Any:  # noqa: ANN401
    """Poll once by Authlib's device code grant."""
    with _session(token, client_id) as session:
        return dict(
            session.fetch_token(
                url,
                grant_type=DEVICE_CODE_GRANT_TYPE,
                device_code=device_code,
                client_id=client_id,
            )
        )


def refresh(*, url: str, token: str, client_id: str, refresh_token: str) -> Any:  # noqa: ANN401
    """Refresh by Authlib."""
    with _session(token, client_id) as session:
        return dict(session.refresh_token(url, refresh_token=refresh_token, client_id=client_id))


def redeem_with_oauthlib(
    *, url: str, token: str, client_id: str, device_code: str, scope: str
) -> Any:  # noqa: ANN401
    """Poll once with what oauthlib's device client writes, and let it read the answer."""
    client = DeviceClient(client_id, scope=scope.split())
    body = client.prepare_request_body(device_code, include_client_id=True)
    answer = httpx.post(
        url,
        content=body,
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/x-www-form-urlencoded",
        },
        timeout=SECONDS,
        trust_env=False,
    )
    read = client.parse_request_body_response(answer.text)
    return {**read, "scope": " ".join(read.scopes)}  # which it gives as a list


def verify(*, jwks: Mapping[str, Any], token: str, receipt: str) -> Any:  # noqa: ANN401
    """Verify a delegation token and a receipt by joserfc with the published keys."""
    keys = KeySet.import_key_set(dict(jwks))
    decoded = jwt.decode(token, keys, algorithms=["ES256", "RS256"])
    signed = jws.deserialize_compact(receipt, keys, algorithms=["ES256", "RS256"])
    return {"token": decoded.claims, "receipt": json.loads(signed.payload)}


DO = (
    card,
    send,
    tasks,
    task,
    metadata,
    begin,
    redeem,
    refresh,
    redeem_with_oauthlib,
    verify,
)
BY_NAME: Mapping[str, Callable[..., Any]] = {each.__name__: each for each in DO}


def main() -> None:
    """Answer line by line until there are no more."""
    for line in sys.stdin:
        asked = json.loads(line)
        answer: dict[str, Any]
        try:
            answer = {"returned": BY_NAME[asked.pop("do")](**asked)}
        except Exception as error:  # noqa: BLE001  # whatever a library raises is the test's
            answer = {"raised": type(error).__name__, "said": str(error)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
