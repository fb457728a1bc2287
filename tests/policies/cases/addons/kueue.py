"""Kueue and JobSet: installed once, and fit for what they queue."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Addon, Fleet, Place, Ref
from muster.fleet.resources.eks import AddonKind
from muster.fleet.resources.ref import KUBERNETES_ADDON
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, described
from tests.policies.addons import (
    PLUGINS,
    a_chart,
    a_manifest,
    an_addon,
    an_eks,
    beside_plugins,
    by_manifest,
    conflict,
    operating,
    urn,
    with_addons,
)
from tests.policies.case import case

# one-kueue, kueue-..., one-jobset, operator-installed-once

KUEUE, MANAGES, KNOWS = "one-kueue", "kueue-manages-training-jobs", "kueue-knows-trainer"
JOBSET, ONCE = "one-jobset", "operator-installed-once"
TASK_GOVERNANCE = "amazon-sagemaker-hyperpod-taskgovernance"


@case(f"{KUEUE} @ urn:pulumi:dev::theirs::kubernetes:helm.sh/v3:Release::kueue")
def kueue_beside_task_governance() -> Fleet:
    return a_fleet(an_eks(TASK_GOVERNANCE), an_addon("kueue", "0.19.2"))


@case(f"{KUEUE} @ {urn('z-kueue')}")
def kueue_by_its_manifest_beside_its_chart() -> Fleet:
    return a_fleet(an_addon("kueue", "0.19.2"), by_manifest("kueue", "v0.19.2", "z-kueue"))


@case()
def task_governance_on_two_clusters() -> Fleet:
    return a_fleet(an_eks(TASK_GOVERNANCE), an_eks(TASK_GOVERNANCE, "second"))


@case(f"{JOBSET} @ {urn('z-jobset')}")
def jobset_by_its_manifest_beside_its_chart() -> Fleet:
    return a_fleet(an_addon("jobset", "0.12.0"), by_manifest("jobset", "v0.12.0", "z-jobset"))


@case(f"{JOBSET} @ {urn('kubeflow-trainer')}")
def jobset_by_its_manifest_beside_trainers() -> Fleet:
    return a_fleet(an_addon("kubeflow-trainer", "2.3.0"), by_manifest("jobset", "v0.12.0", "z-jobset"))


@conflict(f"{ONCE} @ addons.charts.our-cert-manager")
def a_chart_of_cert_manager_beside_ours() -> Fleet:
    charts = {"our-cert-manager": a_chart("cert-manager", "v1.19.0")}
    return with_addons({**PLUGINS, "cert-manager": {}, "charts": charts})


@case(f"{ONCE} @ {urn('metrics-server')}")
def a_chart_of_metrics_server_beside_eks() -> Fleet:
    return a_fleet(an_eks("metrics-server"), an_addon("metrics-server", "3.13.0"))


@case()
def metrics_server_by_eks_on_two_clusters() -> Fleet:
    return a_fleet(an_eks("metrics-server"), an_eks("metrics-server", "second"))


@case(f"{KUEUE} @ addons.kueue")
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


@case()
def task_governance_alone() -> Fleet:
    return a_fleet(an_eks(TASK_GOVERNANCE))


@conflict(f"{ONCE} @ addons.charts.our-volcano")
def volcano_twice() -> Fleet:
    volcano = a_chart("volcano", "1.15.0")
    return with_addons({**PLUGINS, "charts": {"our-batch": volcano, "our-volcano": volcano}})


@conflict(f"{KUEUE} @ addons.charts.our-queues")
def kueue_twice() -> Fleet:
    kueue = a_chart("kueue", "0.19.2")
    return with_addons({**PLUGINS, "charts": {"our-kueue": kueue, "our-queues": kueue}})


@conflict()
def two_releases_of_an_ordinary_chart() -> Fleet:
    redis = a_chart("redis", "19.0.0")
    return with_addons({**PLUGINS, "charts": {"cache": redis, "state": redis}})


@conflict(f"{KUEUE} @ addons.charts.our-kueue")
def a_chart_of_kueue_beside_ours() -> Fleet:
    return with_addons({**PLUGINS, "kueue": {}, "charts": {"our-kueue": a_chart("kueue", "0.19.2")}})


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


@case(f"{MANAGES} @ {urn('kueue')}")
def kueue_that_leaves_pytorchjobs_alone() -> Fleet:
    return kueue_beside_training("0.19.2")


@case()
def kueue_that_manages_pytorchjobs_by_itself() -> Fleet:
    return kueue_beside_training("0.18.6")


@case()
def kueue_that_is_told_to_manage_pytorchjobs() -> Fleet:
    return kueue_beside_training("0.19.2", '- "kubeflow.org/pytorchjob"')


@case(f"{MANAGES} @ {urn('kueue')}")
def kueue_that_is_told_in_a_comment() -> Fleet:
    return kueue_beside_training("0.19.2", '#  - "kubeflow.org/pytorchjob"')


@case(f"{MANAGES} @ {urn('kueue')}")
def kueue_of_old_that_is_told_not_to() -> Fleet:
    return kueue_beside_training("0.18.6", '- "pod"')


@case(unjudged=(f"{MANAGES} @ {urn('kueue')}",))
def kueue_of_a_version_not_yet_known() -> Fleet:
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", UNKNOWN))


@case()
def kueue_that_is_told_in_one_line() -> Fleet:
    text = 'integrations: {frameworks: ["batch/job", "kubeflow.org/pytorchjob"]}'
    values = {"managerConfig": {"controllerManagerConfigYaml": text}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


@case(f"{MANAGES} @ {urn('kueue')}")
def kueue_that_is_told_elsewhere() -> Fleet:
    text = "integrations:\n  frameworks: [batch/job]\n  externalFrameworks: [kubeflow.org/pytorchjob]\n"
    values = {"managerConfig": {"controllerManagerConfigYaml": text}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


@case(unjudged=(f"{MANAGES} @ {urn('kueue')}",))
def kueue_that_is_told_in_no_yaml() -> Fleet:
    values = {"managerConfig": {"controllerManagerConfigYaml": "integrations: [frameworks"}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


@case(unjudged=(f"{MANAGES} @ {urn('kueue')}",))
def kueue_that_is_told_one_framework_and_no_list() -> Fleet:
    values = {"managerConfig": {"controllerManagerConfigYaml": "integrations: {frameworks: kubeflow.org/pytorchjob}"}}
    return a_fleet(a_manifest("training-operator", "v1.9.4"), an_addon("kueue", "0.19.2", values))


@case(unjudged=(f"{MANAGES} @ {urn('kueue')}",))
def kueue_by_its_manifest() -> Fleet:
    """Its configuration is a ConfigMap in there, and no value."""
    kueue = an_addon("kueue", "v0.19.2", kind=AddonKind.MANIFEST)
    return a_fleet(a_manifest("training-operator", "v1.9.4"), kueue)


@case()
def kueue_by_its_manifest_of_old() -> Fleet:
    kueue = an_addon("kueue", "v0.18.6", kind=AddonKind.MANIFEST)
    return a_fleet(a_manifest("training-operator", "v1.9.4"), kueue)


@conflict(f"{MANAGES} @ addons.kueue.values")
def our_kueue_with_a_configuration_without_pytorchjobs() -> Fleet:
    text = FRAMEWORKS.format(pytorchjob='# - "kubeflow.org/pytorchjob"')
    kueue = {"values": {"managerConfig": {"controllerManagerConfigYaml": text}}}
    return with_addons({**PLUGINS, "training-operator": {}, "kueue": kueue})


@conflict()
def our_kueue_beside_our_training_operator() -> Fleet:
    return with_addons({**PLUGINS, "training-operator": {}, "kueue": {}})


@conflict(f"{MANAGES} @ addons.charts.our-kueue.values")
def kueue_beside_hyperpods_training_operator() -> Fleet:
    return beside_plugins(operating(), a_chart("kueue", "0.19.2"))


@conflict(f"{KNOWS} @ addons.trainer.version")
def our_trainer_of_a_version_that_kueue_does_not_know() -> Fleet:
    return with_addons({**PLUGINS, "kueue": {}, "trainer": {"version": "1.9.0"}})


TRAINER: Mapping[str, Any] = {"jobset": {"install": False}}


@conflict(f"{KNOWS} @ addons.charts.our-kubeflow-trainer.version")
def a_trainer_that_kueue_does_not_know() -> Fleet:
    return beside_plugins(a_chart("kueue", "0.19.2"), a_chart("kubeflow-trainer", "2.0.0-rc.1"))


@conflict()
def a_trainer_that_kueue_knows() -> Fleet:
    return beside_plugins(a_chart("kueue", "0.19.2"), a_chart("kubeflow-trainer", "2.0.0"))


@case(unjudged=(f"{KNOWS} @ {urn('kubeflow-trainer')}",))
def a_trainer_not_yet_known_beside_kueue() -> Fleet:
    return a_fleet(an_addon("kueue", "0.19.2"), an_addon("kubeflow-trainer", UNKNOWN, TRAINER))


@conflict(f"{JOBSET} @ addons.charts.our-kubeflow-trainer.values.jobset.install")
def trainers_jobset_beside_another() -> Fleet:
    return beside_plugins(a_chart("jobset", "0.12.0"), a_chart("kubeflow-trainer", "2.3.0"))


@conflict(f"{JOBSET} @ addons.trainer.values.jobset.install")
def our_trainers_jobset_beside_our_jobset() -> Fleet:
    trainer = {"values": {"jobset": {"install": True}}}
    return with_addons({**PLUGINS, "jobset": {}, "trainer": trainer})


@conflict(f"{JOBSET} @ addons.charts.our-jobset")
def a_chart_of_jobset_beside_ours() -> Fleet:
    return with_addons({**PLUGINS, "jobset": {}, "charts": {"our-jobset": a_chart("jobset", "0.12.0")}})


@conflict()
def our_trainer_beside_our_jobset() -> Fleet:
    return with_addons({**PLUGINS, "jobset": {}, "trainer": {}})


@conflict()
def trainer_without_its_jobset_beside_another() -> Fleet:
    return beside_plugins(a_chart("jobset", "0.12.0"), a_chart("kubeflow-trainer", "2.3.0", **TRAINER))


@conflict(f"{KUEUE} @ addons.kueue")
def our_task_governance_beside_our_kueue() -> Fleet:
    return with_addons({**PLUGINS, "hyperpod-task-governance": {}, "kueue": {}})


# kueue-serves-its-queues

SERVES_QUEUES = "kueue-serves-its-queues"


@conflict(f"{SERVES_QUEUES} @ addons.kueue.version")
def a_kueue_from_before_its_queues_api() -> Fleet:
    return described({"addons.kueue": {"version": "0.14.8"}})


@conflict()
def the_first_kueue_with_its_queues_api() -> Fleet:
    return described({"addons.kueue": {"version": "v0.15.0"}})
