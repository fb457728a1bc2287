"""Kueue and JobSet: installed once, and fit for what they queue."""

from muster.fleet.resources import Fleet
from tests.factories import a_fleet, described
from tests.policies.addons import (
    PLUGINS,
    a_manifest,
    an_addon,
    an_eks,
    by_manifest,
    with_addons,
)
from tests.policies.case import cases

# one-kueue, kueue-..., one-jobset, operator-installed-once

TASK_GOVERNANCE = "amazon-sagemaker-hyperpod-taskgovernance"


cases(
    kueue_beside_task_governance=lambda: a_fleet(an_eks(TASK_GOVERNANCE), an_addon("kueue", "0.19.2")),
    jobset_by_its_manifest_beside_its_chart=lambda: a_fleet(
        an_addon("jobset", "0.12.0"), by_manifest("jobset", "v0.12.0", "z-jobset")
    ),
    a_chart_of_metrics_server_beside_eks=lambda: a_fleet(
        an_eks("metrics-server"), an_addon("metrics-server", "3.13.0")
    ),
)


FRAMEWORKS = """
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
integrations:
  frameworks:
  - "batch/job"
  {pytorchjob}
"""


def kueue_beside_training(version: str, pytorchjob: str | None = None) -> Fleet:
    text = FRAMEWORKS.format(pytorchjob=pytorchjob) if pytorchjob is not None else None
    values = {"managerConfig": {"controllerManagerConfigYaml": text}} if text else {}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", version, values))


cases(
    kueue_that_leaves_pytorchjobs_alone=lambda: kueue_beside_training("0.19.2"),
)


cases(
    our_trainer_of_a_version_that_kueue_does_not_know=lambda: with_addons(
        {**PLUGINS, "kueue": {}, "trainer": {"version": "1.9.0"}}
    ),
)


# kueue-serves-its-queues


cases(
    a_kueue_from_before_its_queues_api=lambda: described({"addons.kueue": {"version": "0.14.8"}}),
)
