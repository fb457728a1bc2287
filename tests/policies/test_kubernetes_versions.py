"""How long EKS offers and supports a version: by its answer, else by the calendar."""

from datetime import date, timedelta
from typing import Any

import pytest

from muster.policies.lookups.versions import is_offered, support_of, version_facts
from muster.policies.rules.control_plane.kubernetes_version import in_standard_support, is_after_calendar
from muster.versions import EKS_CALENDAR, Support
from tests.factories import a_fleet, facts

DAY = timedelta(days=1)
ENDS, EXTENDED = "2027-01-31T00:00:00Z", "2028-01-31T00:00:00Z"
TOLD = Support(date(2027, 1, 31), date(2028, 1, 31))


@pytest.mark.parametrize("version", EKS_CALENDAR)
def test_a_version_of_the_calendar(version: str) -> None:
    """EKS offers it through its last day of extended support; findings advise it through that of standard support."""
    support = EKS_CALENDAR[version]
    assert (version_facts(version, a_fleet()), support_of(version, a_fleet())) == (None, support)
    for day, offered in ((support.extended_ends, True), (support.extended_ends + DAY, False)):
        assert is_offered(version, a_fleet(as_of=day)) == offered
    for day, stands in ((support.standard_ends, True), (support.standard_ends + DAY, False)):
        assert (version in in_standard_support(a_fleet(as_of=day))) == stands


@pytest.mark.parametrize(
    ("version", "newer"),
    [("1.28", False), ("1.9", False), ("1.99", True), ("1.100", True), ("2.0", True), ("", False), ("latest", False)]
    + [(version, False) for version in EKS_CALENDAR],
)
def test_a_version_newer_than_the_calendar(version: str, newer: bool) -> None:
    """Versions compare by number: 1.9 is older than 1.28."""
    assert is_after_calendar(version) == newer


@pytest.mark.parametrize("version", ["1.99", "", None])
def test_a_version_that_nobody_states(version: Any) -> None:
    """Without facts about it, and outside of the calendar, it is not offered."""
    for known in (None, facts(), facts(kubernetesVersions={"1.35": {"offered": True}})):
        fleet = a_fleet(facts=known)
        assert (version_facts(version, fleet), support_of(version, fleet), is_offered(version, fleet)) == (
            None,
            None,
            False,
        )


@pytest.mark.parametrize("version", ["1.35", "1.99"])
@pytest.mark.parametrize(
    ("said", "is_told", "support", "offered"),
    [
        ({"offered": True, "endOfStandard": ENDS, "endOfExtended": EXTENDED}, True, TOLD, True),
        ({"offered": False, "endOfStandard": ENDS, "endOfExtended": EXTENDED}, True, TOLD, False),
        ({"offered": True, "endOfStandard": ENDS}, True, None, True),
        ({"offered": True, "endOfExtended": EXTENDED}, True, None, True),
        ({"offered": True}, True, None, True),
        ({"offered": False}, True, None, False),
        ({"endOfStandard": ENDS, "endOfExtended": EXTENDED}, False, None, None),
    ],
)
def test_what_eks_says_of_a_version(
    version: str, said: dict[str, Any], *, is_told: bool, support: Support | None, offered: bool | None
) -> None:
    """`offered` counts by itself; the dates count only if EKS states both. The calendar has the rest."""
    fleet = a_fleet(facts=facts(kubernetesVersions={version: said}))
    known = EKS_CALENDAR.get(version)
    assert (version_facts(version, fleet) is not None) == is_told
    assert support_of(version, fleet) == (support or known)
    assert is_offered(version, fleet) == (known is not None if offered is None else offered)
    assert (version in in_standard_support(fleet)) == (is_offered(version, fleet) and (support or known) is not None)


@pytest.mark.parametrize(("days", "offered"), [(0, True), (1, False)])
def test_the_last_day_that_eks_says(days: int, *, offered: bool) -> None:
    """The date of EKS counts, not that of the calendar."""
    known = facts(kubernetesVersions={"1.35": {"offered": True, "endOfStandard": ENDS, "endOfExtended": EXTENDED}})
    assert is_offered("1.35", a_fleet(facts=known, as_of=TOLD.extended_ends + days * DAY)) == offered
    assert ("1.35" in in_standard_support(a_fleet(facts=known, as_of=TOLD.standard_ends + days * DAY))) == offered
