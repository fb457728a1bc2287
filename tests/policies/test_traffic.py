"""Whether traffic passes, where no rule of the program says so."""

import pytest

from muster.fleet.derive.refs import CLUSTER_REF, EFA_GROUP_REF
from muster.fleet.resources.security_group import EGRESS, INGRESS
from muster.fleet.unknown import UNKNOWN
from policies.reading.traffic import lets
from tests.factories import a_fleet


@pytest.mark.parametrize(
    ("direction", "port", "peer", "passes"),
    [
        (INGRESS, 988, CLUSTER_REF, True),
        (EGRESS, None, CLUSTER_REF, True),
        (EGRESS, 988, EFA_GROUP_REF, True),
        (EGRESS, None, EFA_GROUP_REF, UNKNOWN),
        (INGRESS, 988, EFA_GROUP_REF, UNKNOWN),
        (INGRESS, None, EFA_GROUP_REF, UNKNOWN),
    ],
)
def test_ekss_own_group(direction: str, port: int | None, peer: object, passes: object) -> None:
    """It lets itself in, and every port out; what a program adds to it nobody has looked at, and EFA has no port."""
    assert lets((CLUSTER_REF,), direction, port, (peer,), a_fleet()) is passes  # type: ignore[arg-type]
