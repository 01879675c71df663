"""Delegated authority, put together from its parts (§5)."""

from pact_conformance.counterpart.personal_agent.delegation import (
    brand_keys,
    device_flow,
    grants,
    oauth,
    receipts,
    scopes,
    step_up,
)


class Delegation:
    """The parts of the agent's side of §5; each is an attribute and may be exchanged."""

    def __init__(self) -> None:
        self._read_cards()
        self._choose_scopes()
        self._get_tokens()
        self._keep_grants()
        self._send()
        self._take_receipts()

    def _read_cards(self) -> None:
        # §5.1 The card
        self.find_offer = oauth.find_offer
        self.endpoints = oauth.endpoints
        self.metadata = brand_keys.metadata
        self.fetch_document = brand_keys.fetch_document
        self.read_keys = brand_keys.read_keys
        self.find_keys = brand_keys.BrandKeys().find

    def _choose_scopes(self) -> None:
        # §5.2 Scopes
        self.descriptions = scopes.descriptions
        self.choose_scopes = scopes.choose_scopes
        self.wanted_scopes = scopes.wanted_scopes
        self.listed_scopes = scopes.listed_scopes

    def _get_tokens(self) -> None:
        # §5.3 Getting a token
        self.client_id = oauth.client_id
        self.oauth_headers = oauth.oauth_headers()
        self.oauth_request = oauth.oauth_request
        self.encode_form = oauth.encode_form
        self.post = oauth.post
        self.read_oauth = oauth.read_oauth
        self.device_form = device_flow.device_form()
        self.poll_form = device_flow.poll_form()
        self.ask = device_flow.ask
        self.begin = device_flow.begin
        self.read_sign_in = device_flow.read_sign_in
        self.login_link = device_flow.login_link
        self.interval = device_flow.interval
        self.code_lifetime = device_flow.code_lifetime
        self.finish = device_flow.finish
        self.wait_to_poll = device_flow.wait_to_poll
        self.poll = device_flow.poll
        self.react_to_poll = device_flow.react_to_poll
        self.poll_reactions = device_flow.poll_reactions()
        self.read_grant = grants.read_grant
        self.granted_scopes = grants.granted_scopes

    def _keep_grants(self) -> None:
        # §5.4 The delegation token
        self.is_sendable = grants.is_sendable
        self.grant_key = grants.grant_key
        self.held = grants.held
        self.granted = grants.granted
        self.keep = grants.keep
        self.drop = grants.drop
        self.ready = grants.ready
        self.is_due = grants.is_due
        self.is_over = grants.is_over
        self.refresh_form = grants.refresh_form()
        self.refresh = grants.refresh
        self.next_refresh_token = grants.next_refresh_token

    def _send(self) -> None:
        # §5.5 Sending with it
        self.header = grants.header
        self.renew_refused = grants.renew_refused
        self.ask_again = grants.ask_again
        self.step_up = step_up.step_up
        self.missing_scopes = step_up.missing_scopes
        self.waiting = step_up.waiting
        self.go_on = step_up.go_on

    def _take_receipts(self) -> None:
        # §5.6 Receipts
        self.take_receipt = receipts.take_receipt
        self.judge_receipt = receipts.judge_receipt
        self.keep_receipt = receipts.keep_receipt
        self.open_receipt = receipts.open_receipt
        self.receipt_checks = receipts.receipt_checks()
        self.token_claims = receipts.token_claims
