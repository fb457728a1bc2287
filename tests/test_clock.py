"""Which day it is."""

import time
from datetime import UTC, date, datetime

import pytest

from muster import clock
from muster.finding import WrongInput


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
def test_the_day_is_that_of_utc_wherever_the_machine_stands(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Capacity Blocks change at 11:30 UTC: on Kiritimati (UTC+14) it is then tomorrow already."""
    monkeypatch.delenv(clock.VARIABLE, raising=False)
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        before = datetime.now(UTC).date()
        assert clock.today() in {before, datetime.now(UTC).date()}
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(("said", "is_set"), [("2020-01-02", True), ("", False)])
def test_the_variable_names_the_day(said: str, *, is_set: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clock.VARIABLE, said)
    assert clock.is_set() is is_set
    assert (clock.today() == date(2020, 1, 2)) is is_set


def test_a_day_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(clock.VARIABLE, "tomorrow")
    with pytest.raises(WrongInput, match="MUSTER_AS_OF is 'tomorrow', which is not a date; write one as in 2026-12-31"):
        clock.today()
