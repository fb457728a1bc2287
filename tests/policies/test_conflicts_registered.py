"""Add-ons that do not go together are found in what the program registers, too, and in a preview: the same, at the same
places."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.policies.engine.judgement import judge
from tests.factories import REGION, a_document
from tests.offline.test_law import both_readings, recorded
from tests.policies.addons import a_chart
from tests.policies.case import found
from tests.strategies import Described

REPOSITORY = {"repository": "oci://registry.example.com/charts"}
CONFLICTS: Mapping[str, tuple[Mapping[str, Any], set[str]]] = {
    "gpu-operator": (
        {"addons.charts": {"our-gpu-operator": a_chart("gpu-operator", "v26.3.1")}},
        {
            "gpu-operator-leaves-the-image @ addons.charts.our-gpu-operator.values",
            "nvidia-plugin-spares-efa @ addons.charts.our-gpu-operator.values.devicePlugin",
            "one-plugin-per-device @ addons.charts.our-gpu-operator.values.devicePlugin",
        },
    ),
    "operators": (
        {
            "addons.training-operator": {},
            "addons.kueue": {"values": {"managerConfig": {"controllerManagerConfigYaml": "kind: Configuration"}}},
            "addons.trainer": {"values": {"jobset": {"install": True}}},
            "addons.jobset": {},
            "addons.etcd": {"version": "v3.6.1"},
        },
        {
            "etcd-speaks-v2 @ addons.etcd.version",
            "kueue-manages-training-jobs @ addons.kueue.values",
            "operator-installed-once @ addons.trainer.values.jobset.install",
        },
    ),
    "hyperpod": (
        {
            "addons.hyperpod": {**REPOSITORY, "values": {"mpi-operator": {"enabled": True}}},
            "addons.mpi-operator": {},
            "addons.hyperpod-task-governance": {},
            "addons.kueue": {},
            "addons.hyperpod-training-operator": {},
        },
        {
            "addon-has-what-it-needs @ addons.hyperpod-training-operator",
            "operator-installed-once @ addons.kueue",
            "operator-installed-once @ addons.mpi-operator",
        },
    ),
    "storage": (
        {"addons.fsx-csi-driver": {}, "addons.charts": {"our-driver": a_chart("aws-fsx-csi-driver", "1.17.0")}},
        {"operator-installed-once @ addons.charts.our-driver"},
    ),
}


@pytest.mark.parametrize("preview", [False, True], ids=["known", "preview"])
@pytest.mark.parametrize("name", CONFLICTS)
def test_both_readings_find_the_same(name: str, *, preview: bool) -> None:
    """Whether `check` reads the description, or `plan` and the pack what is registered."""
    edits, conflicts = CONFLICTS[name]
    described = Described(a_document(edits), REGION)
    blueprint, recording = recorded(described, preview=preview)
    registered, derived = both_readings(blueprint, recording, described)
    first, second = judge(derived), judge(registered)
    assert found(first) == conflicts
    assert first.findings == second.findings
