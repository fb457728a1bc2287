"""Kueue manages what the chosen operators run."""

import yaml

from muster.addons.catalogue import CATALOGUE
from muster.addons.catalogue.kueue import configuration, frameworks
from muster.addons.values import values_of
from muster.config.description.addons import HyperPodOptions, KueueOptions, ManifestOptions
from tests.addons.contexts import a_context

OF_THE_OPERATOR = {f"kubeflow.org/{each}job" for each in ("pytorch", "tf", "xgboost", "paddle", "jax")}


def test_jobs_of_the_training_operator_are_managed_where_it_is() -> None:
    """Kueue 0.19 leaves them out; without it nothing defines them."""
    with_it = a_context(kueue=KueueOptions(), training_operator=ManifestOptions())
    without = a_context(kueue=KueueOptions())
    assert set(frameworks(with_it)) - set(frameworks(without)) == OF_THE_OPERATOR
    assert set(frameworks(without)) == {
        *("batch/job", "kubeflow.org/mpijob", "ray.io/rayjob", "ray.io/rayservice", "ray.io/raycluster"),
        *("jobset.x-k8s.io/jobset", "workload.codeflare.dev/appwrapper", "trainer.kubeflow.org/trainjob"),
        *("pod", "deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"),
    }


UNMANAGED = {"volcano", "hyperpod-training-operator"}


def test_every_operator_of_the_catalogue_is_managed_but_two() -> None:
    """Volcano has queues of its own; of HyperPod's operator Kueue knows nothing (v0.19.2: no such integration)."""
    context = a_context(training_operator=ManifestOptions())
    for name, addon in CATALOGUE.items():
        for kind in addon.runs:
            group = kind.api_version.partition("/")[0]
            assert (f"{group}/{kind.kind.lower()}" in frameworks(context)) == (name not in UNMANAGED), kind


def test_the_text_is_the_whole_configuration() -> None:
    """The chart puts it into a file as it is."""
    context = a_context(kueue=KueueOptions(), training_operator=ManifestOptions())
    said = yaml.safe_load(configuration(context))
    assert (said["apiVersion"], said["kind"]) == ("config.kueue.x-k8s.io/v1beta2", "Configuration")
    assert said["integrations"] == {"frameworks": frameworks(context)}
    assert said["webhook"] == {"port": 9443}
    assert said["leaderElection"]["leaderElect"] is True
    given = values_of(CATALOGUE["kueue"], context)["managerConfig"]["controllerManagerConfigYaml"]
    assert given == configuration(context)


def test_the_operator_of_hyperpods_chart_counts_too() -> None:
    """Where a user's values turn it on; with ours beside it each kind is named once."""
    hyperpod = HyperPodOptions(values={"trainingOperators": {"enabled": True}})
    alone, both = a_context(hyperpod=hyperpod), a_context(hyperpod=hyperpod, training_operator=ManifestOptions())
    assert OF_THE_OPERATOR - set(frameworks(alone)) == {"kubeflow.org/jaxjob"}
    assert set(frameworks(both)) >= OF_THE_OPERATOR
    assert not OF_THE_OPERATOR & set(frameworks(a_context(hyperpod=HyperPodOptions())))
    assert len(frameworks(both)) == len(set(frameworks(both)))
