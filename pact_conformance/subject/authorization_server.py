"""The authorization server of one Brand (§5.1, §5.3): its two endpoints and its public documents.

The card says where they are. A token goes to an endpoint only where it may go at all: to the origin
of the interface, or to one that the tester allows.
"""

from collections.abc import Collection, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import quote, urlencode

from pact_conformance.journal.answer import Answer
from pact_conformance.journal.client import NoAnswer
from pact_conformance.journal.exchange import Operation
from pact_conformance.subject.discovery import fetch
from pact_conformance.subject.origins import may_get_tokens
from pact_conformance.subject.provider import GOOD, Credential, Provider
from pact_conformance.tokens.delegation import verify
from pact_conformance.verdicts import Inconclusive, NotApplicable, Untested, open_notebook
from pact_conformance.wire.card import Delegation
from pact_conformance.wire.media_types import FORM
from pact_conformance.wire.oauth import DEVICE_CODE_GRANT, REFRESH_TOKEN_GRANT

Form = Sequence[tuple[str, str]]
"""Parameters in order; names may repeat."""

_SECRETS = ("device_code", "user_code", "access_token", "refresh_token")


class Default:
    """Stands for "what the specification says"."""


DEFAULT: Final = Default()

ClientId = str | Default | None
"""A `client_id`: by default the issuer of the personal agent (§5.3); None leaves it out."""


class AuthorizationServer:
    """The OAuth endpoints of one Brand as its card names them (§5.1).

    Args:
        provider: the Brand's interface, and the personal agent that asks.
        allowed: origins that may get tokens, besides that of the interface.

    Raises:
        NotApplicable: the card does not offer delegation.
    """

    def __init__(self, provider: Provider, allowed: Collection[str] = ()) -> None:
        if provider.card.delegation is None:
            raise NotApplicable("the card does not offer delegation")
        self.provider = provider
        self.delegation: Delegation = provider.card.delegation
        self._allowed = tuple(allowed)
        self._documents: dict[Operation, Answer] = {}
        self._open: dict[Operation, Answer] = {}

    @property
    def brand(self) -> str:
        """The Brand's name on the card, for people; empty where it has none."""
        document = self.provider.card.document
        name = document.get("name") if isinstance(document, dict) else None
        return name if isinstance(name, str) else ""

    @property
    def refresh_url(self) -> str:
        """Where a refresh token goes: the card's `refreshUrl`, if it has one, else `tokenUrl`."""
        return self.delegation.refresh_url or self.delegation.token_url

    def begin(
        self,
        scopes: Sequence[str] | None,
        *,
        user: str,
        token: Credential = GOOD,
        client_id: ClientId = DEFAULT,
        form: Form | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Begin a device flow (RFC 8628 §3.1).

        Args:
            scopes: ids to ask for; None leaves `scope` out.
            user: whose `sub` the personal-agent JWT carries.
            token: what to authenticate with.
            client_id: see `ClientId`.
            form: the whole form, instead of the parameters above.
            headers: changes to the usual headers; None removes one.

        Raises:
            Inconclusive: no answer came.
            Untested: the endpoint is missing, or at an origin that may get no tokens.
        """
        wanted = [] if scopes is None else [("scope", " ".join(scopes))]
        return self.post(
            self.delegation.device_authorization_url,
            [*self._client(client_id), *wanted] if form is None else form,
            user=user,
            token=token,
            headers=headers,
        )

    def redeem(
        self,
        device_code: str,
        *,
        user: str,
        token: Credential = GOOD,
        client_id: ClientId = DEFAULT,
        form: Form | None = None,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Poll for the token of a device code (RFC 8628 §3.4); the parameters are as in `begin`."""
        usual = [("grant_type", DEVICE_CODE_GRANT), ("device_code", device_code)]
        return self.post(
            self.delegation.token_url,
            [*usual, *self._client(client_id)] if form is None else form,
            user=user,
            token=token,
            headers=headers,
        )

    def refresh(
        self,
        refresh_token: str,
        *,
        user: str,
        scopes: Sequence[str] | None = None,
        token: Credential = GOOD,
        client_id: ClientId = DEFAULT,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """Get another delegation token (RFC 6749 §6); the parameters are as in `begin`."""
        usual = [("grant_type", REFRESH_TOKEN_GRANT), ("refresh_token", refresh_token)]
        wanted = [] if scopes is None else [("scope", " ".join(scopes))]
        return self.post(
            self.refresh_url,
            [*usual, *self._client(client_id), *wanted],
            user=user,
            token=token,
            headers=headers,
        )

    def post(
        self,
        url: str,
        form: Form,
        *,
        user: str,
        token: Credential = GOOD,
        content: bytes | None = None,
        content_type: str | None = FORM,
        headers: Mapping[str, str | None] | None = None,
    ) -> Answer:
        """POST to an OAuth endpoint.

        What may use up a code is sent once: where its answer is lost, nobody knows what it did.

        Args:
            url: of the endpoint.
            form: the parameters, percent-encoded.
            user: whose `sub` the personal-agent JWT carries.
            token: what to authenticate with.
            content: the whole body, instead of the form.
            content_type: of the body; None sends none.
            headers: changes to the usual headers; None removes one.

        Raises:
            Inconclusive: no answer came.
            Untested: the URL is empty, or at an origin that may get no tokens.
        """
        self._assert_allowed(url)
        # %20 for a space, as in the specification's example: every reader of forms decodes it.
        encoded = urlencode(form, quote_via=quote, safe="").encode()
        answer = self.provider.ask(
            "POST",
            url,
            operation="oauth",
            token=token,
            user=user,
            headers={"A2A-Version": None, "Content-Type": content_type, **(headers or {})},
            content=encoded if content is None else content,
            repeatable=url == self.delegation.device_authorization_url,
        )
        self._hide(answer)
        return answer

    def send(
        self,
        method: str,
        url: str,
        *,
        user: str,
        headers: Sequence[tuple[str, str]],
        content: bytes | None,
    ) -> Answer:
        """Send a request that uses up nothing to an OAuth endpoint, whatever is odd about it.

        Args:
            method: of HTTP.
            url: of the endpoint, maybe with more of a query.
            user: whose `sub` the personal-agent JWT carries.
            headers: every header behind Authorization, as it is.
            content: the body, as it is.

        Raises:
            Inconclusive: no answer came.
            Untested: the endpoint is at an origin that may get no tokens.
            ValueError: HTTP/1.1 has no such request.
        """
        self._assert_allowed(url)
        answer = self.provider.ask(
            method, url, operation="oauth", user=user, headers=headers, content=content
        )
        self._hide(answer)
        return answer

    @property
    def metadata(self) -> Answer:
        """What `oauth2MetadataUrl` leads to (RFC 8414), read once.

        Asked for without a token; where that gets 401, once more with one.

        Raises:
            Inconclusive: no answer came.
            Untested: the card names no such URL.
        """
        return self._document("metadata", self.delegation.metadata_url, "oauth2MetadataUrl")

    @property
    def metadata_without_token(self) -> Answer:
        """What the first GET got, without a token; read and raises as `metadata`."""
        _ = self.metadata
        return self._cited(self._open["metadata"])

    @property
    def keys_without_token(self) -> Answer:
        """What the first GET of the keys got, without a token; read and raises as `metadata`."""
        _ = self.keys
        return self._cited(self._open["jwks"])

    @property
    def issuer(self) -> str:
        """The metadata's `issuer`, which delegation tokens name; empty where it has none."""
        return self._named("issuer")

    @property
    def jwks_uri(self) -> str:
        """Where the metadata says that the keys are; empty where it does not."""
        return self._named("jwks_uri")

    @property
    def keys(self) -> Answer:
        """What the metadata's `jwks_uri` leads to; read and raises as `metadata`."""
        return self._document("jwks", self.jwks_uri, "jwks_uri")

    @property
    def jwks(self) -> object:
        """The value of `keys`, which should be a JWK Set."""
        return self.keys.json

    def verify(self, jws: str) -> dict[str, Any]:
        """Return the payload of a delegation token or a receipt that a published key has signed.

        Where none of the keys has, they are read once more: a Provider may have rotated them.

        Raises:
            Inconclusive: the keys cannot be read.
            ValueError: no published key has signed it; the message says why.
        """
        try:
            return verify(jws, self.jwks)
        except ValueError:
            self._documents.pop("jwks", None)
            return verify(jws, self.jwks)

    def _hide(self, answer: Answer) -> None:
        """Have masked what was given, also where it looks like a word and not like a secret."""
        body = answer.json
        if answer.status != HTTPStatus.OK or not isinstance(body, dict):
            return
        for name in _SECRETS:
            value = body.get(name)
            if isinstance(value, str):
                self.provider.client.hide(value, name)

    def _client(self, client_id: ClientId) -> list[tuple[str, str]]:
        if client_id is None:
            return []
        own = isinstance(client_id, Default)
        return [("client_id", self.provider.caller.issuer if own else str(client_id))]

    def _assert_allowed(self, url: str) -> None:
        if not url:
            raise Untested("the card names no such OAuth endpoint", do="see 5.1-scheme")
        if not self._may_get_tokens(url):
            raise Untested(
                f"the OAuth endpoint {url} is at another origin than the interface, and tokens "
                "would go there",
                do=f"if it is the Provider's: --pact-allow-origins={url}",
            )

    def _may_get_tokens(self, url: str) -> bool:
        try:
            return may_get_tokens(url, self.provider.interface.url, self._allowed)
        except ValueError:  # no URL
            return False

    def _named(self, member: str) -> str:
        document = self.metadata.json
        value = document.get(member) if isinstance(document, dict) else None
        return value if isinstance(value, str) else ""

    def _document(self, operation: Operation, url: str, name: str) -> Answer:
        if operation in self._documents:
            return self._cited(self._documents[operation])
        if not url:
            raise Untested(f"there is no {name}", do="see 5.1-metadata")
        answer = self._read(operation, url)
        if answer.status == HTTPStatus.OK:
            self._documents[operation] = answer
        return answer

    def _read(self, operation: Operation, url: str) -> Answer:
        provider = self.provider
        try:
            answer = fetch(
                provider.client,
                url,
                operation=operation,
                patience=provider.patience,
                purpose=f"read the {operation} document as anybody may",
            )[-1]
        except NoAnswer as error:
            open_notebook().exchanges.append(error.exchange_id)
            raise Inconclusive(str(error), do=f"see that {url} can be reached") from error
        self._open[operation] = self._cited(answer)
        if answer.status != HTTPStatus.UNAUTHORIZED or not self._may_get_tokens(url):
            return answer
        return provider.ask("GET", url, operation=operation)

    def _cited(self, answer: Answer) -> Answer:
        """Return an answer that the running check looks at, and enter it in its notebook."""
        book = open_notebook()
        if answer.exchange_id not in book.exchanges:
            book.exchanges.append(answer.exchange_id)
        return answer
