"""Names of Regions: a slip is told from a Region that no table has yet."""

import pytest

from muster.hardware.offerings import regions
from muster.stack.stack_checks import region_problem


def test_every_known_region_is_one() -> None:
    """And one that AWS could open tomorrow."""
    for name in (*regions(), "us-gov-west-1", "cn-northwest-1", "us-iso-east-1", "mx-central-1", "ap-southeast-9"):
        assert region_problem(name) == ""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("us-wset-2", "'us-wset-2' is not a Region; did you mean 'us-west-2'?"),
        ("su-west-2", "'su-west-2' is not a Region; did you mean 'us-west-2'?"),
        ("us-west2", "'us-west2' is not a Region; did you mean 'us-west-2'?"),
        ("us-gov-wset-1", "'us-gov-wset-1' is not a Region; did you mean 'us-gov-west-1'?"),
        ("us-west-2a", "'us-west-2a' is not a Region; did you mean 'us-west-2'?"),
        ("Oregon", "'Oregon' is not a Region"),
        (2, "'2' is not a Region"),
    ],
)
def test_a_slip_is_told_with_the_nearest(name: object, said: str) -> None:
    """Whether a direction is none, or the letters of a known Region stand in another order."""
    assert region_problem(name) == said


def test_of_every_region_a_slip_is_told_with_it() -> None:
    """Two letters the other way round, at its beginning or its direction's: those without types of ours, too."""
    for name in [*regions(), "cn-north-1", "cn-northwest-1", "us-gov-east-1", "us-gov-west-1"]:
        area, direction, number = name.rsplit("-", 2)
        directions = (f"{direction[1]}{direction[0]}{direction[2:]}", f"{direction[:-2]}{direction[-1]}{direction[-2]}")
        for slip in (f"{name[1]}{name[0]}{name[2:]}", *(f"{area}-{each}-{number}" for each in directions)):
            assert region_problem(slip) == f"'{slip}' is not a Region; did you mean '{name}'?"
