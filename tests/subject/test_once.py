"""What several threads ask for at the same time is made once."""

import threading

from pact_conformance.subject.once import Once


class Owner:
    def __init__(self) -> None:
        self.made: list[int] = []
        self.begun, self.go_on = threading.Event(), threading.Event()

    @Once
    def thing(self) -> object:
        self.made.append(len(self.made))
        self.begun.set()
        assert self.go_on.wait(10)
        return object()


def test_who_asks_meanwhile_waits_and_gets_the_same() -> None:
    owner, got = Owner(), list[object]()
    threads = [threading.Thread(target=lambda: got.append(owner.thing)) for _ in range(4)]
    for it in threads:
        it.start()
    assert owner.begun.wait(10)
    threading.Timer(0.05, owner.go_on.set).start()
    for it in threads:
        it.join()

    assert owner.made == [0]
    assert got == [owner.thing] * 4


def test_it_can_be_made_again() -> None:
    owner = Owner()
    owner.go_on.set()
    first = owner.thing
    del owner.__dict__["thing"]

    assert owner.thing is not first
    assert isinstance(Owner.thing, Once)
