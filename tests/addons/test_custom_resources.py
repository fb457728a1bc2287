"""Our objects of other projects' kinds are what their CRDs take.

The rules that CRDs have beside their schemas (CEL) the API server judges: `muster rehearse --charts` on such a stack.
"""

from typing import Any

import pytest

from muster.addons.catalogue import CATALOGUE
from muster.config.description.addon_queues import KueueQueue, VolcanoQueue
from muster.config.description.addons import KueueOptions, VolcanoOptions
from tests.addons.catalogue.test_kueue_queues import PLAIN, SYSTEM, WORKERS
from tests.addons.contexts import a_context
from tests.addons.crds import validator

KUEUE = {"vision": KueueQueue(namespace="vision", share=50), "speech": KueueQueue(borrow=False)}
VOLCANO = {
    "test": VolcanoQueue(weight=2, reclaimable=False, capability={"cpu": 2, "aws.amazon.com/neuron": "16"}),
    "part": VolcanoQueue(parent="test", capability={"memory": "10Gi"}),
}
CONTEXT = a_context(WORKERS, SYSTEM, PLAIN, kueue=KueueOptions(queues=KUEUE), volcano=VolcanoOptions(queues=VOLCANO))
OURS = [
    (name, each)
    for name in ("kueue", "volcano")
    for each in CATALOGUE[name].objects(CONTEXT)
    if "." in each["apiVersion"].partition("/")[0]
]


@pytest.mark.parametrize(
    ("addon", "thing"), OURS, ids=[f"{each['kind']} {each['metadata']['name']}" for _, each in OURS]
)
def test_what_is_made_is_what_the_crd_takes(addon: str, thing: dict[str, Any]) -> None:
    """Of the pinned version, in the version of the API that we write; with no key that it does not know."""
    assert [error.message for error in validator(addon, thing).iter_errors(thing)] == []


def test_what_the_crd_does_not_take_is_seen() -> None:
    """Or the test above would say nothing."""
    (queue, *_) = [each for _, each in OURS if each["kind"] == "ClusterQueue"]
    for change in (
        {"cohort": "of-v1beta1"},
        {"resourceGroups": [{"coveredResources": ["cpu"]}]},
        {"stopPolicy": "Never"},
    ):
        broken = {**queue, "spec": {**queue["spec"], **change}}
        assert list(validator("kueue", queue).iter_errors(broken)), change
