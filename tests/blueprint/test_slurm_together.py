"""Names in a Slurm cluster that are wrong together are told each at its own place, whatever else is wrong."""

from typing import Any

import pytest

from muster.blueprint.derive.cluster import derive
from muster.blueprint.parallelcluster.build_image import image_id
from muster.config.description.base import Change, change_cost
from muster.config.description.cluster import MOST_SLURM_TAGS
from muster.config.description.parallelcluster import SlurmCluster
from muster.config.description.root import model_of
from muster.config.validation import validate
from tests.factories.parallelcluster import a_slurm_description, a_slurm_document


def told(edits: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    document = a_slurm_document(edits)
    _, found = validate(model_of(document), document)
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


def test_the_description_says_what_the_cluster_is_of() -> None:
    """A newer Muster refuses a cluster of an older one; it never renders it as one of its own."""
    described = a_slurm_description().model_copy(update={"version": "3.14.0"})
    blueprint = derive(described, "ml", "us-west-2")
    assert blueprint.cluster.version == "3.14.0"
    assert image_id(blueprint) == "ml-3-14-0"
    assert change_cost(SlurmCluster, "version") is Change.REPLACES


def test_so_many_tags_are_left_to_a_description() -> None:
    """ParallelCluster takes 40: Muster's own and its provider's are among them."""
    assert told({"tags": {f"tag-{number}": "x" for number in range(MOST_SLURM_TAGS)}}) == {}
    assert set(told({"tags": {f"tag-{number}": "x" for number in range(MOST_SLURM_TAGS + 1)}})) == {"tags"}


def test_a_group_is_in_one_queue() -> None:
    """That is found by its name; nobody asks for one that there is not."""
    more = {"for": "inference", "instance": "g5.12xlarge", "nodes": 1}
    infer = {"groups": {"servers": more, "others": more}}
    described = a_slurm_description({"queues.infer": infer, "slurm": {"default-queue": "train"}})
    found = {name: described.queue_of(name) for name in described.groups}
    assert found == {"workers": "train", "servers": "infer", "others": "infer"}
    with pytest.raises(StopIteration):
        described.queue_of("nobody")
