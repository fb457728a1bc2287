"""Taints and tolerations."""

from typing import Any

import pytest
from hypothesis import given

from muster.scheduling.taints import Taint, Toleration, daemon_tolerations, untolerated
from tests.scheduling.strategies import taints, tolerations

GPU = Taint("nvidia.com/gpu", "true", "NoSchedule")


# Kubernetes, "Taints and Tolerations"
@pytest.mark.parametrize(
    ("toleration", "tolerates"),
    [
        ({"operator": "Exists"}, True),
        ({"operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "nvidia.com/gpu", "operator": "Exists"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"key": "nvidia.com/gpu", "value": "true"}, True),
        ({"key": "nvidia.com/gpu", "operator": "Equal", "value": "true", "effect": "NoSchedule"}, True),
        ({"key": "nvidia.com/gpu"}, False),
        ({"key": "nvidia.com/gpu", "value": "false"}, False),
        ({"value": "true"}, False),
        ({"key": "CriticalAddonsOnly", "operator": "Exists"}, False),
    ],
)
def test_a_toleration_covers_a_taint_by_key_value_and_effect(toleration: dict[str, Any], tolerates: bool) -> None:
    """`Equal` is the default operator, and a missing value is an empty one."""
    assert Toleration.of(toleration).tolerates(GPU) is tolerates


@given(tolerations.map(Toleration.of), taints)
def test_a_toleration_agrees_with_the_sets_of_what_it_covers(toleration: Toleration, taint: Taint) -> None:
    """Of keys, effects and values it names one or covers all."""
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
