"""What to do with a page: sign in, decide, go on; by what it holds and what was done before."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pact_conformance.file_tables import Account, ApproverFields
from pact_conformance.subject.approver import words
from pact_conformance.subject.approver.boxes import answers, boxes, mentions, scope_of
from pact_conformance.subject.approver.buttons import confirming, is_foreign, side
from pact_conformance.subject.approver.errand import Errand
from pact_conformance.subject.approver.shown import TICKED, Field, Form, Link, Shown

Kind = Literal["sign in", "decide", "go on"]

# What is written on buttons that lead on from a page between, and on links to a login.
_LEADING: tuple[words.Meaning, ...] = ("go_on", "approve", "sign_in")
_LINKED: tuple[words.Meaning, ...] = ("sign_in", "go_on")

_USERNAME = re.compile(
    r"user|login|log-?in|e-?mail|account|identifier|benutzer|usuario", re.IGNORECASE
)
_CODE = re.compile(r"user[_-]?code|^code$|device[_-]?code|otc", re.IGNORECASE)


@dataclass(frozen=True)
class Act:
    """What to do: fill these fields, then press the button, or follow the link."""

    kind: Kind
    form: Form | None = None
    entries: Mapping[int, str | bool] = field(default_factory=dict)
    """By the place of a field: the text to type, or whether to tick it."""
    button: Field | None = None
    """None: submit the form without one."""
    link: Link | None = None
    password: bool = False
    """A password is among what is typed."""
    extra: bool = False
    """Only what the tester gave for further fields is typed."""


@dataclass(frozen=True)
class Consent:
    """What makes a page the consent page."""

    form: Form | None
    approve: Field | Link | None
    deny: Field | Link | None

    @property
    def signature(self) -> tuple[str, ...]:
        """What is the same when the page asks the same again."""
        button = self.approve
        named = (button.name, button.value, button.label) if isinstance(button, Field) else ()
        return ((self.form.action if self.form else ""), *named)


@dataclass
class Progress:
    """What was done on the way so far."""

    username: bool = False
    password: bool = False
    decided: bool = False
    acts: int = 0

    def did(self, act: Act) -> None:
        """Take note of an act."""
        self.acts += 1
        self.username = self.username or act.kind == "sign in"
        self.password = self.password or act.password
        self.decided = self.decided or act.kind == "decide"


class Choosing:
    """Chooses for one errand.

    Args:
        errand: what the User is asked to do.
        account: that signs in; None where the settings have none.
        names: of the Brand's fields and buttons.
        live: the page has scripts running, so buttons outside of forms do something.
    """

    def __init__(
        self, errand: Errand, account: Account | None, names: ApproverFields, *, live: bool = False
    ) -> None:
        self.errand = errand
        self.account = account
        self.names = names
        self.live = live

    # --- signing in -----------------------------------------------------------------------

    def login(self, shown: Shown, progress: Progress) -> Act | None:
        """Return how to sign in, if the page asks for it.

        A page that asks for a password again, after one was given, gives the same act again.
        """
        forms = self._forms(shown)
        asking = [(it, self._password(list(shown.of(it)))) for it in forms]
        with_password = [(form, found) for form, found in asking if len(found) > 0]
        if with_password:
            form, passwords = min(with_password, key=lambda it: len(it[1]))
            return self._sign_in(shown, form, passwords[0])
        if progress.password:
            return self._extra(shown, forms)
        for form in forms:
            username = self._username(list(shown.of(form)), None)
            if username is not None:
                return self._sign_in(shown, form, None)
        return self._extra(shown, forms)

    def _forms(self, shown: Shown) -> list[Form | None]:
        return [*shown.forms, None] if self.live else list(shown.forms)

    def _password(self, fields: Sequence[Field]) -> list[Field]:
        named = [it for it in fields if it.typed and self._is(it, self.names.password_field)]
        found = named or [it for it in fields if it.typed and it.kind == "password"]
        current = [it for it in found if "current-password" in it.autocomplete]
        return current or found

    def _is(self, it: Field, name: str) -> bool:
        return bool(name) and name in {it.name, it.id}

    def _username(self, fields: Sequence[Field], password: Field | None) -> Field | None:
        typed = [
            it
            for it in fields
            if it.typed and it.kind in {"text", "email", "tel"} and not self._is_code(it)
        ]
        typed = [it for it in typed if it.name not in self.names.extra_fields]
        named = [it for it in typed if self._is(it, self.names.username_field)]
        told = [it for it in typed if "username" in it.autocomplete]
        if named or told:
            return (named or told)[0]
        if password is not None:
            before = [it for it in typed if it.at < password.at]
            return before[-1] if before else None
        likely = [
            it
            for it in typed
            if (it.kind == "email" or "email" in it.autocomplete)
            or any(_USERNAME.search(text) for text in (it.name, it.id, it.label))
        ]
        return likely[0] if likely and not self._aside(fields) else None

    def _sign_in(self, shown: Shown, form: Form | None, password: Field | None) -> Act:
        fields = list(shown.of(form))
        entries: dict[int, str | bool] = dict(self._extras(fields))
        username = self._username(fields, password)
        if self.account is not None:
            if username is not None:
                entries[username.at] = self.account.username
            if password is not None:
                entries[password.at] = self.account.password.get_secret_value()
        button = self._first(
            self._buttons(fields),
            lambda it: words.says(it.label or it.value, "sign_in") and not is_foreign(it),
            lambda it: words.says(it.label or it.value, "go_on") and not is_foreign(it),
            lambda it: side(it) is None and not is_foreign(it),
        )
        return Act("sign in", form, entries, button, password=password is not None)

    def _extras(self, fields: Sequence[Field]) -> Iterator[tuple[int, str | bool]]:
        for it in fields:
            given = self.names.extra_fields.get(it.name, self.names.extra_fields.get(it.id))
            if given is None or it.disabled:
                continue
            if it.kind in TICKED:
                ticked = given.lower() not in {"", "no", "off", "false", "0"}
                yield it.at, ticked if it.kind == "checkbox" else given == it.value
            else:
                yield it.at, given

    def _extra(self, shown: Shown, forms: Sequence[Form | None]) -> Act | None:
        """Return how to fill a further step of the login that the tester gave values for."""
        for form in forms:
            fields = list(shown.of(form))
            entries = dict(self._extras([it for it in fields if it.typed]))
            if entries:
                button = self._first(
                    self._buttons(fields),
                    lambda it: words.says(it.label, "go_on"),
                    lambda it: side(it) is None,
                )
                return Act("sign in", form, entries, button, extra=True)
        return None

    # --- deciding -------------------------------------------------------------------------

    def consent(self, shown: Shown, *, by_boxes_alone: bool) -> Consent | None:
        """Return what there is to decide, if this is the consent page.

        Args:
            shown: the page.
            by_boxes_alone: only boxes of the scopes make it one; else also what it says, or two
                buttons that approve and deny.
        """
        forms = [
            form
            for form in self._forms(shown)
            if not any(it.kind == "password" and it.typed for it in shown.of(form))
        ]
        scoped = {
            form: sum(1 for _, box in boxes(shown.of(form), self.errand.scopes) if box.scope)
            for form in forms
        }
        best = max(scoped, key=lambda form: scoped[form], default=None)
        if scoped.get(best):
            return self._consent(shown, best, [best])
        return None if by_boxes_alone else self._told(shown, forms)

    def _told(self, shown: Shown, forms: Sequence[Form | None]) -> Consent | None:
        """Return the consent of a page without boxes of the scopes."""
        asking = [
            form
            for form in forms
            if any(side(it) in {"approve", "deny"} for it in self._buttons(shown.of(form)))
            or any(self._named(it) for it in shown.of(form) if it.pressed)
        ]
        if not asking:
            return None
        ticking = [it for it in asking if any(f.kind == "checkbox" for f in shown.of(it))]
        found = self._consent(shown, (ticking or asking)[0], asking)
        told = words.normal(shown.text)
        of_scopes = any(
            mentions(shown.text, scope) or words.normal(description) in told
            for scope, description in self.errand.scopes.items()
            if description
        )
        code = self.errand.user_code
        confirms_code = bool(code) and (
            code in shown.text or any(code in it.value for it in shown.fields)
        )
        both = found.approve is not None and found.deny is not None
        asks = of_scopes or bool(ticking) or (both and not confirms_code)
        return found if asks else None

    def _consent(self, shown: Shown, form: Form | None, asking: Sequence[Form | None]) -> Consent:
        own = self._buttons(shown.of(form))
        every = [*own, *(b for it in asking if it is not form for b in self._buttons(shown.of(it)))]
        if self.live or not own:
            every += [it for it in self._buttons(shown.of(None)) if it not in every]
        return Consent(form, self._approving(shown, every), self._denying(shown, every))

    def _approving(self, shown: Shown, buttons: Sequence[Field]) -> Field | Link | None:
        if self.names.approve:
            return self._called(shown, self.names.approve)
        neutral = [it for it in buttons if side(it) is None]
        return self._first(
            buttons,
            lambda it: side(it) == "approve",
            lambda it: it in neutral and words.says(it.label or it.value, "go_on"),
            lambda it: [it] == neutral,
        )

    def _denying(self, shown: Shown, buttons: Sequence[Field]) -> Field | Link | None:
        if self.names.deny:
            return self._called(shown, self.names.deny)
        others = [it for form in shown.forms for it in self._buttons(shown.of(form))]
        found = self._first([*buttons, *others], lambda it: side(it) == "deny")
        if found is not None:
            return found
        return next((it for it in shown.links if words.says(it.text, "deny")), None)

    def _called(self, shown: Shown, names: Sequence[str]) -> Field | Link | None:
        """Return the button or link that the tester named."""
        for it in shown.fields:
            if it.pressed and words.is_named((it.label, it.value, it.name, it.id), names):
                return it
        return next((it for it in shown.links if words.is_named([it.text], names)), None)

    def _named(self, it: Field) -> bool:
        return words.is_named(
            (it.label, it.value, it.name, it.id), (*self.names.approve, *self.names.deny)
        )

    def decision(self, shown: Shown, consent: Consent) -> Act | None:
        """Return how to decide as the errand asks; None if no button for it is found."""
        pressed = consent.deny if self.errand.deny else consent.approve
        if isinstance(pressed, Link):
            return Act("decide", link=pressed)
        if pressed is None:
            return None
        form = consent.form if pressed.form is None else _form(shown, pressed.form)
        entries = {} if self.errand.deny else dict(self._ticks(list(shown.of(consent.form))))
        return Act("decide", form, entries, pressed)

    def _ticks(self, fields: Sequence[Field]) -> Iterator[tuple[int, bool]]:
        scopes, approved = self.errand.scopes, self.errand.approved
        for it in fields:
            if it.kind not in TICKED or it.disabled:
                continue
            scope = scope_of(it, scopes)
            if scope is not None and it.kind == "checkbox":
                yield it.at, scope in approved
            elif scope is not None and answers(it) is not None:
                yield it.at, (scope in approved) is answers(it)
            elif it.kind == "checkbox" and it.required:
                yield it.at, True

    # --- going on -------------------------------------------------------------------------

    def on(self, shown: Shown, progress: Progress) -> Act | None:
        """Return how to go on from a page between: a code to confirm, a form that submits itself.

        Nothing is pressed that could undo something. After the decision only a form goes on that
        does so by itself, or that asks whether the decision is meant.
        """
        named = self._called(shown, self.names.proceed) if self.names.proceed else None
        if named is not None and not progress.decided:
            if isinstance(named, Link):
                return Act("go on", link=named)
            form = None if named.form is None else _form(shown, named.form)
            return Act("go on", form, dict(self._codes(list(shown.of(form)))), named)
        for form in shown.forms:
            act = self._onwards(shown, form, decided=progress.decided)
            if act is not None:
                return act
        if progress.acts or shown.status >= 400:
            return None
        return self._first_link(shown)

    def _onwards(self, shown: Shown, form: Form, *, decided: bool) -> Act | None:
        fields = list(shown.of(form))
        codes = dict(self._codes(fields))
        seen = [it for it in fields if it.shown and it.kind not in {"submit", "image", "button"}]
        if any(it.at not in codes and not it.readonly for it in seen if it.kind != "hidden"):
            return None
        buttons = self._buttons(fields)
        hidden = any(it.kind == "hidden" for it in fields)
        by_itself = hidden and (not buttons or shown.submits)
        if decided:
            again = confirming(buttons, deny=self.errand.deny)
            goes_on = form.method == "post" and (by_itself or again is not None)
            return Act("go on", form, {}, again) if goes_on else None
        if by_itself and not any(side(it) == "aside" for it in buttons):
            return Act("go on", form, codes, buttons[0] if buttons and not shown.submits else None)
        likely = [it for it in buttons if side(it) not in {"deny", "aside"}]
        if len(likely) != 1:
            return None
        written = likely[0].label or likely[0].value
        leads = any(words.says(written, it) for it in _LEADING)
        if leads or codes or (hidden and shown.scripted):
            return Act("go on", form, codes, likely[0])
        return None

    def _is_code(self, it: Field) -> bool:
        code = self.errand.user_code
        if not code:
            return False
        told = [it.name, it.id]
        return it.value == code or any(_CODE.search(text) for text in told)

    def _codes(self, fields: Sequence[Field]) -> Iterator[tuple[int, str]]:
        for it in fields:
            if it.typed and it.kind != "password" and self._is_code(it):
                yield it.at, it.value or self.errand.user_code

    def _first_link(self, shown: Shown) -> Act | None:
        """Return the link to the login, where the first page has nothing else to offer."""
        for wanted in _LINKED:
            links = [it for it in shown.links if words.says(it.text, wanted)]
            links = [it for it in links if not words.says(it.text, "aside")]
            if len({it.url for it in links}) == 1:
                return Act("go on", link=links[0])
        return None

    def puzzling(self, shown: Shown) -> bool:
        """Say whether a page has a form that is neither understood nor beside the point."""
        return any(
            any(side(it) != "aside" for it in self._buttons(shown.of(form)))
            and not self._aside(list(shown.of(form)))
            for form in shown.forms
        )

    def _aside(self, fields: Sequence[Field]) -> bool:
        """Say whether a form is a search, a choice of language, a way out."""
        kinds = {it.kind for it in fields if it.shown}
        return "search" in kinds or any(side(it) == "aside" for it in self._buttons(fields))

    def _buttons(self, fields: Sequence[Field] | Iterator[Field]) -> list[Field]:
        kinds = {"submit", "image", "button"} if self.live else {"submit", "image"}
        return [it for it in fields if it.kind in kinds and it.shown and not it.disabled]

    @staticmethod
    def _first(fields: Sequence[Field], *wanted: "Wanted") -> Field | None:
        return next((it for want in wanted for it in fields if want(it)), None)


Wanted = Callable[[Field], bool]


def _form(shown: Shown, at: int) -> Form:
    return shown.forms[at]
