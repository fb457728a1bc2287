"""Taints and tolerations."""

import pytest
from hypothesis import given

from muster.scheduling.taints import Taint, Toleration, daemon_tolerations, untolerated
from tests.scheduling.strategies import taints, tolerations


@given(tolerations.map(Toleration.of), taints)
def test_a_toleration_agrees_with_the_sets_of_what_it_covers(toleration: Toleration, taint: Taint) -> None:
    """Of keys, effects and values it names one or covers all. `Equal` is the default operator, and a missing value is
    an empty one (Kubernetes, "Taints and Tolerations")."""
    exists = toleration.operator == "Exists"
    covered = (
        toleration.key == taint.key or (exists and not toleration.key),
        toleration.effect in {"", taint.effect},
        exists or toleration.value == taint.value,
    )
    assert toleration.tolerates(taint) is all(covered)


# Kubernetes, "DaemonSet", "Taints and tolerations"
@pytest.mark.parametrize(
    ("taint", "tolerated", "on_host_network"),
    [
        ("node.kubernetes.io/not-ready:NoExecute", True, True),
        ("node.kubernetes.io/unreachable:NoExecute", True, True),
        ("node.kubernetes.io/disk-pressure:NoSchedule", True, True),
        ("node.kubernetes.io/memory-pressure:NoSchedule", True, True),
        ("node.kubernetes.io/pid-pressure:NoSchedule", True, True),
        ("node.kubernetes.io/unschedulable:NoSchedule", True, True),
        ("node.kubernetes.io/network-unavailable:NoSchedule", False, True),
        ("node.kubernetes.io/out-of-service:NoExecute", False, False),
        ("nvidia.com/gpu:NoSchedule", False, False),
    ],
)
def test_what_the_daemon_set_controller_adds(taint: str, tolerated: bool, on_host_network: bool) -> None:
    """To every pod that it makes; for the missing network only to those that do without it."""
    key, effect = taint.split(":")
    found = [not untolerated(daemon_tolerations(host_network=each), [Taint(key, "", effect)]) for each in (False, True)]
    assert found == [tolerated, on_host_network]
