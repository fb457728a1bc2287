"""Moments in facts are of one clock, whatever a person wrote them by."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from muster.config.validation import validate
from muster.fleet.facts import Fact, Facts, KubernetesVersionFacts, ReservationFacts, TrainingPlanFacts

OFFSETS = st.timedeltas(timedelta(hours=-14), timedelta(hours=14)).map(
    lambda each: timezone(timedelta(minutes=each // timedelta(minutes=1)))
)
MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1))  # noqa: DTZ001 - without an offset, for one to be drawn


def told(written: str) -> datetime:
    """What is read of a moment that somebody wrote."""
    made, faults = validate(ReservationFacts, {"end": written})
    assert not faults
    assert made is not None
    assert made.end is not None
    return made.end


@given(moment=MOMENTS, offset=OFFSETS)
def test_the_same_moment_in_utc(moment: datetime, offset: timezone) -> None:
    """With any offset; days are those of UTC. Without one it is UTC, and not the machine's own zone."""
    assert told(moment.isoformat()) == moment.replace(tzinfo=UTC)
    written = moment.replace(tzinfo=offset)
    assert told(written.isoformat()) == written
    assert told(written.isoformat()).tzinfo is UTC
    assert told(written.isoformat()).date() == written.astimezone(UTC).date()


def test_every_moment_of_the_facts() -> None:
    """Of whatever has one."""
    models: dict[type[Fact], tuple[str, ...]] = {
        ReservationFacts: ("start", "end"),
        TrainingPlanFacts: ("start", "end"),
        KubernetesVersionFacts: ("endOfStandard", "endOfExtended"),
        Facts: ("observed",),
    }
    for model, keys in models.items():
        made, faults = validate(model, dict.fromkeys(keys, "2026-11-21T23:30:00-08:00"))
        assert not faults
        assert made is not None
        said = made.model_dump(by_alias=True)
        assert {said[key].isoformat() for key in keys} == {"2026-11-22T07:30:00+00:00"}
