"""Forged tokens and their controls, read back with another library than the one that made them."""

import json
from typing import Any

import jwt

from pact_conformance.tokens import base64url
from pact_conformance.tokens.forgeries import Forgery, control_for, forge
from pact_conformance.tokens.jwks_server import JwksServer
from pact_conformance.tokens.keys import SigningKey
from pact_conformance.tokens.token import Token
from tests.tokens.callers import make_caller, make_other

CALLER, OTHER = make_caller(), make_other()
KEYS = {key.kid: key for key in (*CALLER.keys, *OTHER.keys)}


def make(forgery: Forgery, server: JwksServer) -> tuple[Token, Token]:
    made = forge(forgery, CALLER, other=OTHER, server=server)
    return made, control_for(forgery, CALLER, other=OTHER)


def parts(token: Token) -> tuple[dict[str, Any], dict[str, Any], bytes]:
    header, payload, signature = token.text.split(".")
    return (
        json.loads(base64url.decode(header)),
        json.loads(base64url.decode(payload)),
        base64url.decode(signature),
    )


def differing(made: dict[str, Any], control: dict[str, Any]) -> set[str]:
    names = made.keys() | control.keys()
    return {it for it in names if repr(made.get(it, "absent")) != repr(control.get(it, "absent"))}


def is_signed_by(token: Token, key: SigningKey) -> bool:
    """Ask another library whether the signature is right, whatever the claims say."""
    algorithm = jwt.get_algorithm_by_name(key.alg)
    signing_input, _, signature = token.text.rpartition(".")
    public: Any = key.private.public_key()
    return algorithm.verify(signing_input.encode(), public, base64url.decode(signature))
