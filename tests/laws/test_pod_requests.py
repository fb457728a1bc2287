"""What a pod asks of its node, as kube-scheduler counts it."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.pod_requests import pod_requests

GIB = 2**30

_amounts = st.dictionaries(st.sampled_from(["cpu", "memory", "nvidia.com/gpu", "hugepages-2Mi"]), st.integers(0, 50))
containers = st.lists(_amounts.map(lambda asked: {"resources": {"requests": asked}}), max_size=4)
init_containers = st.lists(
    st.tuples(_amounts, st.booleans()).map(
        lambda drawn: {"resources": {"requests": drawn[0]}, **({"restartPolicy": "Always"} if drawn[1] else {})}
    ),
    max_size=4,
)


def added(*listed: dict[str, Any]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in listed:
        for name, number in each["resources"]["requests"].items():
            total[name] += number * (1000 if name == "cpu" else 1)
    return {name: number for name, number in total.items() if number}


@given(containers, init_containers, _amounts)
def test_a_pod_asks_the_most_it_ever_needs(
    listed: list[dict[str, Any]], first: list[dict[str, Any]], overhead: dict[str, int]
) -> None:
    """While an init container runs, the sidecars before it run too; afterwards the containers and all sidecars. What
    the sandbox itself takes comes on top; nothing is no zero."""
    moments = [added(*listed, *(each for each in first if "restartPolicy" in each))]
    for index, each in enumerate(first):
        moments.append(added(*(other for other in first[:index] if "restartPolicy" in other), each))
    most = {name: max(moment.get(name, 0) for moment in moments) for moment in moments for name in moment}
    expected = Counter(most) + Counter(added({"resources": {"requests": overhead}}))
    spec = {"containers": listed, "initContainers": first, "overhead": overhead}
    assert pod_requests(spec) == expected
    assert pod_requests({**spec, "containers": listed[::-1]}) == expected


@given(_amounts, _amounts)
def test_a_limit_stands_in_for_a_request(limits: dict[str, int], requests: dict[str, int]) -> None:
    """For each resource by itself."""
    both = pod_requests({"containers": [{"resources": {"limits": limits, "requests": requests}}]})
    assert both == added({"resources": {"requests": {**limits, **requests}}})


def test_parts_are_added_up_before_they_are_rounded() -> None:
    """Two halves are one, and what is left over counts as a whole."""
    half = {"resources": {"requests": {"example.com/x": "500m", "cpu": "0.0005"}}}
    assert pod_requests({"containers": [half, half]}) == {"example.com/x": 1, "cpu": 1}
    assert pod_requests({"containers": [half, half, half]}) == {"example.com/x": 2, "cpu": 2}


@pytest.mark.parametrize(
    ("of_the_pod", "asked"),
    [
        ({}, {"cpu": 2000, "memory": GIB, "nvidia.com/gpu": 1}),
        ({"requests": {"cpu": 4}}, {"cpu": 4000, "memory": GIB, "nvidia.com/gpu": 1}),
        ({"requests": {"cpu": 1}}, {"cpu": 1000, "memory": GIB, "nvidia.com/gpu": 1}),
        ({"limits": {"cpu": 4}}, {"cpu": 2000, "memory": GIB, "nvidia.com/gpu": 1}),
        (
            {"limits": {"hugepages-2Mi": "2Mi"}},
            {"cpu": 2000, "memory": GIB, "nvidia.com/gpu": 1, "hugepages-2Mi": 2**21},
        ),
        ({"requests": {"nvidia.com/gpu": 9}}, {"cpu": 2000, "memory": GIB, "nvidia.com/gpu": 1}),
    ],
)
def test_what_is_asked_for_the_pod_as_a_whole(of_the_pod: dict[str, Any], asked: dict[str, int]) -> None:
    """It counts in place of its containers' CPU, memory and huge pages; a limit alone where they ask none."""
    container = {"resources": {"requests": {"cpu": 2, "memory": "1Gi"}, "limits": {"nvidia.com/gpu": "1"}}}
    assert pod_requests({"containers": [container], "resources": of_the_pod}) == asked
    both = {"limits": {"cpu": 4, "memory": 2}}
    alone = {"containers": [{"resources": {"requests": {"memory": 1}}}], "resources": both}
    assert pod_requests(alone) == {"cpu": 4000, "memory": 1}, "a limit of the pod, where no container asks"


def test_base_units() -> None:
    """CPU in millicores, bytes, whole devices; a part of a device is one."""
    written = {
        "cpu": "1500m",
        "memory": "32000Mi",
        "ephemeral-storage": "1G",
        "hugepages-1Gi": "2Gi",
        "example.com/x": "1",
    }
    assert pod_requests({"containers": [{"resources": {"limits": written}}]}) == {
        "cpu": 1500,
        "memory": 32000 * 2**20,
        "ephemeral-storage": 10**9,
        "hugepages-1Gi": 2 * GIB,
        "example.com/x": 1,
    }
