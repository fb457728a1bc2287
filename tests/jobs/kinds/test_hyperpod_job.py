"""A HyperPodPyTorchJob: so many pods of each replica spec."""

from typing import Any

import pytest

from muster.jobs.catalogue import pods_of, roles_of
from muster.jobs.kinds.hyperpod_elastic import elastic_policy
from muster.jobs.manifest import Field
from tests.jobs.documents import a_hyperpod_job, a_template


def test_its_pods() -> None:
    """By the label that AWS's CLI finds them by."""
    made = pods_of(a_hyperpod_job())
    assert [pod["metadata"]["name"] for pod in made] == [f"train-pods-{index}" for index in range(4)]
    assert {pod["metadata"]["labels"]["HPJob"] for pod in made} == {"train"}


def test_an_elastic_one_goes_on_with_fewer() -> None:
    """`minReplicas` of the one group."""
    assert roles_of(a_hyperpod_job(elasticPolicy={"minReplicas": 2, "maxReplicas": 4})).needed == 2
    assert roles_of(a_hyperpod_job()).needed == 4


@pytest.mark.parametrize(
    ("policy", "sizes"),
    [
        ({"minReplicas": 2, "maxReplicas": 8, "replicaIncrementStep": 2}, (2, 4, 6, 8)),
        ({"minReplicas": 2, "maxReplicas": 7, "replicaIncrementStep": 2}, (2, 4, 6)),
        ({"replicaDiscreteValues": [8, 2, 4]}, (2, 4, 8)),
        ({"minReplicas": 3, "replicaDiscreteValues": [2, 4, 8]}, (4, 8)),
        ({"minReplicas": 1, "maxReplicas": 3}, (1, 2, 3)),
        ({"minReplicas": 5, "maxReplicas": 4}, ()),
        ({}, (4,)),
    ],
)
def test_the_sizes_of_an_elastic_job(policy: dict[str, Any], sizes: tuple[int, ...]) -> None:
    """The minimum and its steps up to the maximum, or the values themselves; it continues with the smallest."""
    job = a_hyperpod_job(elasticPolicy=policy)
    found = elastic_policy(Field(job), 4)
    assert found is not None
    assert found.sizes == sizes
    assert roles_of(job).needed == min(sizes[:1] or (4,))


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (
            {"minReplicas": 2, "maxReplicas": 8, "replicaIncrementStep": 2},
            "starts with 4 pods; it runs with 2, 4, 6, 8",
        ),
        (
            {"replicaDiscreteValues": [3, 6]},
            "starts with 4 pods, which spec.elasticPolicy does not allow; it runs with 3",
        ),
        ({"minReplicas": 5, "maxReplicas": 4}, "minReplicas is 5, but maxReplicas is 4"),
        ({"minReplicas": 2, "maxReplicas": 4}, "the steps are not known"),
        (
            {"replicaIncrementStep": 1, "replicaDiscreteValues": [4]},
            "both replicaIncrementStep and replicaDiscreteValues",
        ),
    ],
)
def test_what_is_said_of_an_elastic_policy(policy: dict[str, Any], says: str) -> None:
    """Its sizes, and its contradictions."""
    assert any(says in each for each in roles_of(a_hyperpod_job(elasticPolicy=policy)).notes)


def test_the_maxima_of_replica_specs_and_policy_are_compared() -> None:
    """AWS: they should match."""
    spec = {"name": "pods", "replicas": 4, "maxReplicas": 6, "template": a_template()}
    shape = roles_of(a_hyperpod_job(spec, elasticPolicy={"minReplicas": 2, "maxReplicas": 8}))
    assert any("add up to 6, but spec.elasticPolicy.maxReplicas is 8" in each for each in shape.notes)


def test_spares_are_no_pods() -> None:
    """They are asked of Kueue, and said."""
    shape = roles_of(a_hyperpod_job({"name": "pods", "replicas": 2, "spares": 1, "template": a_template()}))
    assert shape.pods == 2
    assert any("spares" in note for note in shape.notes)
