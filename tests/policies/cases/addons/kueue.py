"""Kueue and JobSet: installed once, and fit for what they queue."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Addon, Fleet, Place, Ref
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, described
from tests.policies.addons import (
    PLUGINS,
    a_chart,
    a_manifest,
    an_addon,
    an_eks,
    beside_plugins,
    by_manifest,
    operating,
    with_addons,
)
from tests.policies.case import case, cases

# one-kueue, kueue-..., one-jobset, operator-installed-once

TASK_GOVERNANCE = "amazon-sagemaker-hyperpod-taskgovernance"


cases(
    kueue_beside_task_governance=lambda: a_fleet(an_eks(TASK_GOVERNANCE), an_addon("kueue", "0.19.2")),
    kueue_by_its_manifest_beside_its_chart=lambda: a_fleet(
        an_addon("kueue", "0.19.2"), by_manifest("kueue", "v0.19.2", "z-kueue")
    ),
    task_governance_on_two_clusters=lambda: a_fleet(an_eks(TASK_GOVERNANCE), an_eks(TASK_GOVERNANCE, "second")),
    jobset_by_its_manifest_beside_its_chart=lambda: a_fleet(
        an_addon("jobset", "0.12.0"), by_manifest("jobset", "v0.12.0", "z-jobset")
    ),
    jobset_by_its_manifest_beside_trainers=lambda: a_fleet(
        an_addon("kubeflow-trainer", "2.3.0"), by_manifest("jobset", "v0.12.0", "z-jobset")
    ),
    a_chart_of_cert_manager_beside_ours=lambda: with_addons(
        {**PLUGINS, "cert-manager": {}, "charts": {"our-cert-manager": a_chart("cert-manager", "v1.19.0")}}
    ),
    a_chart_of_metrics_server_beside_eks=lambda: a_fleet(
        an_eks("metrics-server"), an_addon("metrics-server", "3.13.0")
    ),
    metrics_server_by_eks_on_two_clusters=lambda: a_fleet(an_eks("metrics-server"), an_eks("metrics-server", "second")),
)


@case
def our_kueue_beside_our_task_governance() -> Fleet:
    governance = Addon(
        Ref(KUBERNETES_ADDON, "hyperpod-task-governance"),
        "v1.6.0-eksbuild.1",
        Place("addons.hyperpod-task-governance"),
        AddonKind.EKS_ADDON,
        TASK_GOVERNANCE,
    )
    kueue = Addon(Ref(KUBERNETES_ADDON, "kueue"), "0.19.2", Place("addons.kueue"), AddonKind.CHART, "kueue")
    return a_fleet(governance, kueue)


cases(
    task_governance_alone=lambda: a_fleet(an_eks(TASK_GOVERNANCE)),
)


@case
def volcano_twice() -> Fleet:
    volcano = a_chart("volcano", "1.15.0")
    return with_addons({**PLUGINS, "charts": {"our-batch": volcano, "our-volcano": volcano}})


@case
def kueue_twice() -> Fleet:
    kueue = a_chart("kueue", "0.19.2")
    return with_addons({**PLUGINS, "charts": {"our-kueue": kueue, "our-queues": kueue}})


@case
def two_releases_of_an_ordinary_chart() -> Fleet:
    redis = a_chart("redis", "19.0.0")
    return with_addons({**PLUGINS, "charts": {"cache": redis, "state": redis}})


cases(
    a_chart_of_kueue_beside_ours=lambda: with_addons(
        {**PLUGINS, "kueue": {}, "charts": {"our-kueue": a_chart("kueue", "0.19.2")}}
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
    kueue_that_manages_pytorchjobs_by_itself=lambda: kueue_beside_training("0.18.6"),
    kueue_that_is_told_to_manage_pytorchjobs=lambda: kueue_beside_training("0.19.2", '- "kubeflow.org/pytorchjob"'),
    kueue_that_is_told_in_a_comment=lambda: kueue_beside_training("0.19.2", '#  - "kubeflow.org/pytorchjob"'),
    kueue_of_old_that_is_told_not_to=lambda: kueue_beside_training("0.18.6", '- "pod"'),
    kueue_of_a_version_not_yet_known=lambda: a_fleet(
        a_manifest("training-operator", "v1.9.4"), an_addon("kueue", UNKNOWN)
    ),
)


@case
def kueue_that_is_told_in_one_line() -> Fleet:
    text = 'integrations: {frameworks: ["batch/job", "kubeflow.org/pytorchjob"]}'
    values = {"managerConfig": {"controllerManagerConfigYaml": text}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


def _kueue_of(version: str, *frameworks: str) -> Fleet:
    """Kueue with these kinds of jobs, without the training operator."""
    text = f"integrations: {{frameworks: [batch/job, {', '.join(frameworks)}]}}"
    return a_fleet(an_addon("kueue", version, {"managerConfig": {"controllerManagerConfigYaml": text}}))


@case
def kueue_that_is_told_elsewhere() -> Fleet:
    text = "integrations:\n  frameworks: [batch/job]\n  externalFrameworks: [kubeflow.org/pytorchjob]\n"
    values = {"managerConfig": {"controllerManagerConfigYaml": text}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


cases(
    kueue_that_names_a_kind_that_is_misspelt=lambda: _kueue_of("0.20.0", "batch/jobz"),
    kueue_that_names_a_kind_that_it_does_not_know=lambda: _kueue_of("0.19.2", "example.com/experiment"),
    a_newer_kueue_that_names_a_kind_that_nobody_here_knows=lambda: _kueue_of("0.20.0", "example.com/experiment"),
    kueue_that_is_told_in_no_yaml=lambda: a_fleet(
        a_manifest("training-operator", "v1.9.4"),
        an_addon("kueue", "0.19.2", {"managerConfig": {"controllerManagerConfigYaml": "integrations: [frameworks"}}),
    ),
)


@case
def kueue_that_is_told_one_framework_and_no_list() -> Fleet:
    values = {"managerConfig": {"controllerManagerConfigYaml": "integrations: {frameworks: kubeflow.org/pytorchjob}"}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


cases(
    # Its configuration is a ConfigMap in there, and no value.
    kueue_by_its_manifest=lambda: a_fleet(
        a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "v0.19.2", kind=AddonKind.MANIFEST)
    ),
    kueue_by_its_manifest_of_old=lambda: a_fleet(
        a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "v0.18.6", kind=AddonKind.MANIFEST)
    ),
)


@case
def our_kueue_with_a_configuration_without_pytorchjobs() -> Fleet:
    text = FRAMEWORKS.format(pytorchjob='# - "kubeflow.org/pytorchjob"')
    kueue = {"values": {"managerConfig": {"controllerManagerConfigYaml": text}}}
    return with_addons({**PLUGINS, "training-operator": {}, "kueue": kueue})


cases(
    our_kueue_beside_our_training_operator=lambda: with_addons({**PLUGINS, "training-operator": {}, "kueue": {}}),
    kueue_beside_hyperpods_training_operator=lambda: beside_plugins(operating(), a_chart("kueue", "0.19.2")),
    our_trainer_of_a_version_that_kueue_does_not_know=lambda: with_addons(
        {**PLUGINS, "kueue": {}, "trainer": {"version": "1.9.0"}}
    ),
)


TRAINER: Mapping[str, Any] = {"jobset": {"install": False}}


cases(
    a_trainer_that_kueue_does_not_know=lambda: beside_plugins(
        a_chart("kueue", "0.19.2"), a_chart("kubeflow-trainer", "2.0.0-rc.1")
    ),
    a_trainer_that_kueue_knows=lambda: beside_plugins(a_chart("kueue", "0.19.2"), a_chart("kubeflow-trainer", "2.0.0")),
    a_trainer_not_yet_known_beside_kueue=lambda: a_fleet(
        an_addon("kueue", "0.19.2"), an_addon("kubeflow-trainer", UNKNOWN, TRAINER)
    ),
    trainers_jobset_beside_another=lambda: beside_plugins(
        a_chart("jobset", "0.12.0"), a_chart("kubeflow-trainer", "2.3.0")
    ),
    our_trainers_jobset_beside_our_jobset=lambda: with_addons(
        {**PLUGINS, "jobset": {}, "trainer": {"values": {"jobset": {"install": True}}}}
    ),
    a_chart_of_jobset_beside_ours=lambda: with_addons(
        {**PLUGINS, "jobset": {}, "charts": {"our-jobset": a_chart("jobset", "0.12.0")}}
    ),
    our_trainer_beside_our_jobset=lambda: with_addons({**PLUGINS, "jobset": {}, "trainer": {}}),
    trainer_without_its_jobset_beside_another=lambda: beside_plugins(
        a_chart("jobset", "0.12.0"), a_chart("kubeflow-trainer", "2.3.0", **TRAINER)
    ),
    our_task_governance_beside_our_kueue=lambda: with_addons({**PLUGINS, "hyperpod-task-governance": {}, "kueue": {}}),
)


# kueue-serves-its-queues


cases(
    a_kueue_from_before_its_queues_api=lambda: described({"addons.kueue": {"version": "0.14.8"}}),
    the_first_kueue_with_its_queues_api=lambda: described({"addons.kueue": {"version": "v0.15.0"}}),
)


def configured(text: str, **others: Any) -> Fleet:
    """Kueue with a configuration of the user's own."""
    values = {"managerConfig": {"controllerManagerConfigYaml": text}}
    return with_addons({**PLUGINS, "kueue": {"values": values}, **others})


cases(
    a_configuration_of_kueue_that_is_no_yaml=lambda: configured("integrations: ["),
    a_configuration_without_mpi_jobs=lambda: configured(
        "integrations: {frameworks: [batch/job]}", **{"mpi-operator": {}}
    ),
    a_configuration_with_mpi_jobs=lambda: configured(
        "integrations: {frameworks: [batch/job, kubeflow.org/mpijob]}", **{"mpi-operator": {}}
    ),
)
