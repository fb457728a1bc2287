"""Names of Regions: a slip is told from a Region that no table has yet."""

import pytest

from muster.hardware.offerings import regions
from muster.stack.stack_checks import region_problem


def test_every_known_region_is_one() -> None:
    """And one that AWS could open tomorrow."""
    for name in (*regions(), "us-gov-west-1", "cn-northwest-1", "us-iso-east-1", "mx-central-1", "ap-southeast-9"):
        assert region_problem(name) == ""


@pytest.mark.parametrize(
    ("name", "meant"),
    [("us-west2", "us-west-2"), ("us-west-2a", "us-west-2"), ("Oregon", None), (2, None)],
)
def test_a_slip_is_told_with_the_nearest(name: object, meant: str | None) -> None:
    assert region_problem(name) == f"'{name}' is not a Region" + (f"; did you mean '{meant}'?" if meant else "")


def test_of_every_region_a_slip_is_told_with_it() -> None:
    """Two letters the other way round, at its beginning or its direction's: those without types of ours, too."""
    for name in [*regions(), "cn-north-1", "cn-northwest-1", "us-gov-east-1", "us-gov-west-1"]:
        area, direction, number = name.rsplit("-", 2)
        directions = (f"{direction[1]}{direction[0]}{direction[2:]}", f"{direction[:-2]}{direction[-1]}{direction[-2]}")
        for slip in (f"{name[1]}{name[0]}{name[2:]}", *(f"{area}-{each}-{number}" for each in directions)):
            assert region_problem(slip) == f"'{slip}' is not a Region; did you mean '{name}'?"
