"""Legal documents whose form is broken in one named way each: exactly one fault of form."""

from enum import Enum
from typing import Any

from hypothesis import strategies as st

from tests.factories import DROP, edited
from tests.strategies.described import WORKERS
from tests.strategies.legal_clusters import legal
from tests.strategies.wanted import Wanted


class Misshapen(Enum):
    """Ways to break the form: edits of a legal document, and the one fault they yield: where, and what is said."""

    UNKNOWN_KEY = (
        {f"groups.{WORKERS}.instanse": "p5.48xlarge"},
        f"groups.{WORKERS}.instanse",
        "unknown key 'instanse'; did you mean 'instance'?",
    )
    MISSING_KEY = ({f"groups.{WORKERS}.instance": DROP}, f"groups.{WORKERS}.instance", "'instance' is missing")
    NUMBER_FOR_TEXT = ({"kubernetes": 1.35}, "kubernetes", "1.35 is a number here")
    TEXT_FOR_NUMBER = (
        {f"groups.{WORKERS}.nodes": {"min": "1", "start": 1, "max": 1}},
        f"groups.{WORKERS}.nodes.min",
        "'1' is text here",
    )
    TRUE_FOR_NUMBER = (
        {f"groups.{WORKERS}.nodes": {"min": True, "start": 1, "max": 1}},
        f"groups.{WORKERS}.nodes.min",
        "true stands where a whole number belongs",
    )
    NUMBER_FOR_TRUE = (
        {f"groups.{WORKERS}.node-repair": 1},
        f"groups.{WORKERS}.node-repair",
        "1 stands where true or false belongs",
    )
    NO_VALUE = ({"addons.mpi-operator": None}, "addons.mpi-operator", "'mpi-operator' has no value")
    ZONE_ID_FOR_NAME = (
        {f"groups.{WORKERS}.zone": "usw2-az1"},
        f"groups.{WORKERS}.zone",
        "'usw2-az1' is a zone id",
    )
    REGION_FOR_ZONE = ({f"groups.{WORKERS}.zone": "us-west-2"}, f"groups.{WORKERS}.zone", "'us-west-2' is a Region")
    UNKNOWN_HARDWARE = (
        {f"groups.{WORKERS}.instance": "p5.84xlarge"},
        f"groups.{WORKERS}.instance",
        "'p5.84xlarge' is not an instance type that Muster knows",
    )
    TWO_CAPACITIES = (
        {f"groups.{WORKERS}.capacity": {"on-demand": {}, "reservation": {}}},
        f"groups.{WORKERS}.capacity",
        "both on-demand and reservation are set",
    )
    NO_CAPACITY = (
        {f"groups.{WORKERS}.capacity": {}},
        f"groups.{WORKERS}.capacity",
        "none of on-demand, spot, reservation, reservation-group or capacity-block is set",
    )
    SIZE_WITHOUT_UNIT = (
        {f"groups.{WORKERS}.huge-pages": 5120},
        f"groups.{WORKERS}.huge-pages",
        "5120 has no unit",
    )
    DECIMAL_SIZE = (
        {f"groups.{WORKERS}.volume": {"size": "300GB"}},
        f"groups.{WORKERS}.volume.size",
        "'300GB' is not a size",
    )
    HALF_A_HUGE_PAGE = (
        {f"groups.{WORKERS}.huge-pages": "5MiB"},
        f"groups.{WORKERS}.huge-pages",
        "5MiB is not a multiple of 2MiB",
    )
    OTHER_WORD = (
        {f"groups.{WORKERS}.for": "train"},
        f"groups.{WORKERS}.for",
        "'train'",
    )
    NOT_AN_ID = ({"network.existing.vpc": "my-vpc"}, "network.existing.vpc", "'my-vpc' is not the id of a VPC")
    NO_GROUPS = ({"groups": {}}, "groups", "'groups' has 0 entries")
    RESERVATION_OF_NOTHING = (
        {
            f"groups.{WORKERS}.capacity": {
                "reservation": {"id": "cr-fill-me-in", "zone": "us-west-2a", "count": 0, "provided-by": "aws"}
            }
        },
        f"groups.{WORKERS}.capacity.reservation.count",
        "0 is out of range",
    )


@st.composite
def misshapen(draw: st.DrawFn, how: Misshapen) -> tuple[dict[str, Any], str, str]:
    """A document with one fault of form: the place, and the beginning of what is said."""
    edits, where, got = how.value
    return edited(draw(legal(Wanted(network="existing"))).document, edits), where, got
