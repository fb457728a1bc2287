"""Which EKS cluster a HyperPod cluster is on: either it is known, or what is missing to say so, and never both."""

from typing import Any

import pytest

from muster.blueprint.logical_names import CLUSTER_REF
from muster.fleet.resources import ControlPlane
from muster.fleet.unknown import UNKNOWN
from policies.lookups.hyperpod import control_plane_of
from tests.factories import a_control_plane
from tests.hyperpods import a_hyperpod, a_hyperpod_fleet

ARN = "arn:aws:eks:us-west-2:111122223333:cluster/ml"
LATER = "the EKS cluster, not known before creation"
THEIRS = f"EKS cluster {ARN}, which is not of this program"


@pytest.mark.parametrize(
    ("orchestrator", "plane", "found", "missing"),
    [
        (CLUSTER_REF, a_control_plane(), True, ""),
        (CLUSTER_REF, a_control_plane(existing=True), True, ""),
        (CLUSTER_REF, None, False, f"the EKS cluster {CLUSTER_REF.name}"),
        (ARN, a_control_plane(existing=True), True, ""),
        (ARN, a_control_plane(), False, THEIRS),
        (ARN, None, False, THEIRS),
        (UNKNOWN, a_control_plane(existing=True), True, ""),
        (UNKNOWN, a_control_plane(), False, LATER),
        (UNKNOWN, None, False, LATER),
        (None, a_control_plane(), False, ""),
        (None, None, False, ""),
    ],
)
def test_the_cluster_below(orchestrator: Any, plane: ControlPlane | None, found: bool, missing: str) -> None:
    """One that exists is told by being the only one; one without EKS is on none, and lacks nothing."""
    cluster = a_hyperpod(orchestrator=orchestrator)
    fleet = a_hyperpod_fleet(cluster, *([plane] if plane else []), without=[] if plane else [ControlPlane])
    assert control_plane_of(cluster, fleet) == (plane if found else None, missing)
