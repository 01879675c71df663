from pact_conformance.fuzz.pace import LEAST_RATE, Pace


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_requests_keep_to_a_rate() -> None:
    time = Time()
    pace = Pace(10, 1000, now=lambda: time.now, sleep=time.sleep)

    for _ in range(21):
        pace.step()

    assert abs(time.now - 2.0) < 0.01


def test_a_slow_subject_is_not_waited_for_besides() -> None:
    time = Time()
    pace = Pace(10, 1000, now=lambda: time.now, sleep=time.sleep)

    for _ in range(10):
        pace.step()
        time.now += 1

    assert time.now == 10


def test_there_is_a_bound_on_all_requests() -> None:
    pace = Pace(None, 2)

    assert [pace.step() for _ in range(4)] == [True, True, False, False]


def test_a_rate_limit_is_waited_out_and_halves_the_speed() -> None:
    time = Time()
    pace = Pace(8, 1000, now=lambda: time.now, sleep=time.sleep)

    pace.told_to_wait(3)

    assert (time.now, pace.rate, pace.waited) == (3, 4, 3)
    for _ in range(9):
        pace.told_to_wait(1)
    assert pace.rate == LEAST_RATE


def test_who_was_asked_as_fast_as_can_be_gets_a_rate() -> None:
    pace = Pace(None, 1, sleep=lambda _: None)

    pace.told_to_wait(1)

    assert pace.rate is not None
