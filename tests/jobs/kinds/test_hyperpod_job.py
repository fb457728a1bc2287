"""A HyperPodPyTorchJob: so many pods of each replica spec."""

from muster.jobs.kinds.catalogue import pods_of, roles_of
from tests.jobs.documents import a_hyperpod_job, a_template


def test_its_pods() -> None:
    """By the label that AWS's CLI finds them by."""
    made = pods_of(a_hyperpod_job())
    assert [pod["metadata"]["name"] for pod in made] == [f"train-pods-{index}" for index in range(4)]
    assert {pod["metadata"]["labels"]["HPJob"] for pod in made} == {"train"}


def test_spares_are_no_pods() -> None:
    """They are asked of Kueue, and said."""
    shape = roles_of(a_hyperpod_job({"name": "pods", "replicas": 2, "spares": 1, "template": a_template()}))
    assert shape.pods == 2
    assert any("spares" in note for note in shape.notes)
