"""Kueue manages what the chosen operators run."""

from muster.addons.catalogue import CATALOGUE
from muster.addons.catalogue.kueue import frameworks
from muster.config.description.addons import HyperPodOptions, ManifestOptions
from tests.addons.contexts import a_context

OF_THE_OPERATOR = {f"kubeflow.org/{each}job" for each in ("pytorch", "tf", "xgboost", "paddle", "jax")}


UNMANAGED = {"volcano", "hyperpod-training-operator"}


def test_every_operator_of_the_catalogue_is_managed_but_two() -> None:
    """Volcano has queues of its own; of HyperPod's operator Kueue knows nothing (v0.19.2: no such integration)."""
    context = a_context(training_operator=ManifestOptions())
    for name, addon in CATALOGUE.items():
        for kind in addon.runs:
            group = kind.api_version.partition("/")[0]
            assert (f"{group}/{kind.kind.lower()}" in frameworks(context)) == (name not in UNMANAGED), kind


def test_the_operator_of_hyperpods_chart_counts_too() -> None:
    """Where a user's values turn it on; with ours beside it each kind is named once."""
    hyperpod = HyperPodOptions(values={"trainingOperators": {"enabled": True}})
    alone, both = a_context(hyperpod=hyperpod), a_context(hyperpod=hyperpod, training_operator=ManifestOptions())
    assert OF_THE_OPERATOR - set(frameworks(alone)) == {"kubeflow.org/jaxjob"}
    assert set(frameworks(both)) >= OF_THE_OPERATOR
    assert not OF_THE_OPERATOR & set(frameworks(a_context(hyperpod=HyperPodOptions())))
    assert len(frameworks(both)) == len(set(frameworks(both)))
