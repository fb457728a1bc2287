"""Kueue manages what the chosen operators run."""

import yaml

from addons.catalogue import CATALOGUE
from addons.catalogue.kueue import configuration, frameworks
from addons.values import values_of
from muster.config.description.addons import HyperPodOptions, KueueOptions, ManifestOptions
from tests.addons.contexts import a_site

OF_THE_OPERATOR = {f"kubeflow.org/{each}job" for each in ("pytorch", "tf", "xgboost", "paddle", "jax")}


def test_jobs_of_the_training_operator_are_managed_where_it_is() -> None:
    """Kueue 0.19 leaves them out; without it nothing defines them."""
    with_it = a_site(kueue=KueueOptions(), training_operator=ManifestOptions())
    without = a_site(kueue=KueueOptions())
    assert set(frameworks(with_it)) - set(frameworks(without)) == OF_THE_OPERATOR
    assert set(frameworks(without)) == {
        *("batch/job", "kubeflow.org/mpijob", "ray.io/rayjob", "ray.io/rayservice", "ray.io/raycluster"),
        *("jobset.x-k8s.io/jobset", "workload.codeflare.dev/appwrapper", "trainer.kubeflow.org/trainjob"),
        *("pod", "deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset"),
    }


def test_every_kind_is_named_once() -> None:
    """Kueue refuses a kind that is named twice, and then does not start."""
    named = frameworks(a_site(training_operator=ManifestOptions()))
    assert len(named) == len(set(named))


UNMANAGED = {"volcano", "hyperpod-training-operator"}


def test_every_operator_of_the_catalogue_is_managed_but_two() -> None:
    """Volcano has queues of its own; of HyperPod's operator Kueue knows nothing (v0.19.2: no such integration)."""
    site = a_site(training_operator=ManifestOptions())
    for name, addon in CATALOGUE.items():
        for kind in addon.runs:
            group = kind.api_version.partition("/")[0]
            assert (f"{group}/{kind.kind.lower()}" in frameworks(site)) == (name not in UNMANAGED), kind


def test_the_text_is_the_whole_configuration() -> None:
    """The chart puts it into a file as it is."""
    site = a_site(kueue=KueueOptions(), training_operator=ManifestOptions())
    said = yaml.safe_load(configuration(site))
    assert (said["apiVersion"], said["kind"]) == ("config.kueue.x-k8s.io/v1beta2", "Configuration")
    assert said["integrations"] == {"frameworks": frameworks(site)}
    assert said["webhook"] == {"port": 9443}
    assert said["leaderElection"]["leaderElect"] is True
    given = values_of(CATALOGUE["kueue"], site)["managerConfig"]["controllerManagerConfigYaml"]
    assert given == configuration(site)


def test_local_disk_is_no_matter_of_quotas() -> None:
    """Else Kueue keeps out whoever asks for it: no queue of ours has any."""
    said = yaml.safe_load(configuration(a_site()))
    assert said["resources"] == {"excludeResourcePrefixes": ["ephemeral-storage"]}


def test_the_operator_of_hyperpods_chart_counts_too() -> None:
    """Where a user's values turn it on; with ours beside it each kind is named once."""
    hyperpod = HyperPodOptions(values={"trainingOperators": {"enabled": True}})
    alone, both = a_site(hyperpod=hyperpod), a_site(hyperpod=hyperpod, training_operator=ManifestOptions())
    assert OF_THE_OPERATOR - set(frameworks(alone)) == {"kubeflow.org/jaxjob"}
    assert set(frameworks(both)) >= OF_THE_OPERATOR
    assert not OF_THE_OPERATOR & set(frameworks(a_site(hyperpod=HyperPodOptions())))
    assert len(frameworks(both)) == len(set(frameworks(both)))
