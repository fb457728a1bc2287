"""A job that Volcano's queue would not take is told so, with what the queue has."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.catalogue import MalformedJob, roles_of
from muster.jobs.queue_admission import QueueRefusal, queue_refusal
from tests.jobs.documents import a_batch_job, a_container, a_template, a_volcano_job

GPU = "nvidia.com/gpu"


def a_queue(name: str, parent: str | None = None, **capability: Any) -> dict[str, Any]:
    """A Queue; capabilities by short names."""
    spec = {"capability": {{"gpu": GPU}.get(key, key): value for key, value in capability.items()}}
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": name},
        "spec": {**spec, **({"parent": parent} if parent else {})},
    }


def a_job(queue: str | None = "test", pods: int = 2, least: int | None = None, **asked: Any) -> dict[str, Any]:
    """A Job of one task whose pods ask a GPU each, unless a test says otherwise."""
    limits = {{"gpu": GPU}.get(key, key): value for key, value in asked.items()} or {GPU: 1}
    template = a_template(containers=[a_container(resources={"limits": limits})])
    job = a_volcano_job({"name": "w", "replicas": pods, "template": template})
    job["spec"] |= {"queue": queue} if queue else {}
    job["spec"] |= {"minAvailable": least} if least else {}
    return job


def judged(job: dict[str, Any], *queues: dict[str, Any]) -> QueueRefusal | None:
    return queue_refusal(job, roles_of(job), queues)


def test_a_queue_that_is_there_takes_it() -> None:
    """Volcano's own, too, whether it is named or not."""
    assert judged(a_job(), a_queue("test")) is None
    assert judged(a_job(None)) is None
    assert judged(a_job("default"), a_queue("test")) is None


def test_a_queue_that_is_not_there_takes_nothing() -> None:
    """What there is is listed, the nearest name first."""
    assert judged(a_job("tset"), a_queue("test"), a_queue("other")) == QueueRefusal(
        "there is no queue 'tset'; did you mean 'test'? (there are: default, test, other)",
        "add 'tset' below addons.volcano.queues:, or name one",
    )


def test_jobs_go_to_queues_that_have_none_below_them() -> None:
    """Volcano's webhook says so of every other, and of the root."""
    queues = a_queue("test"), a_queue("b", "test"), a_queue("a", "test")
    assert judged(a_job(), *queues) == QueueRefusal(
        "the queue 'test' takes no jobs: a, b below it do", "name a or b in spec.queue"
    )
    assert judged(a_job("a"), *queues) is None
    assert judged(a_job("root"), a_queue("test")) == QueueRefusal(
        "the queue 'root' takes no jobs: all others are below it", "name default or test in spec.queue"
    )


def test_what_it_cannot_do_without_is_no_more_than_the_queue_has() -> None:
    """Of its pods as many as must run; the queue it is a part of counts, too."""
    said = "it cannot do without 2 nvidia.com/gpu, and the queue 'test' has 1 at most"
    remedy = "raise capability of the queue 'test', or let the job ask for less"
    assert judged(a_job(), a_queue("test", gpu=1)) == QueueRefusal(said, remedy)
    assert judged(a_job("sub"), a_queue("test", gpu=1), a_queue("sub", "test", gpu=2)) == QueueRefusal(said, remedy)
    assert judged(a_job(least=1), a_queue("test", gpu=1)) is None
    assert judged(a_job(), a_queue("test", gpu=2, cpu=0)) is None
    assert judged(a_job(cpu="500m"), a_queue("test", cpu=1)) is None
    too_much = judged(a_job(cpu="501m"), a_queue("test", cpu=1))
    assert too_much is not None
    assert too_much.said == "it cannot do without 1002m cpu, and the queue 'test' has 1000m at most"


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 5)), min_size=1, max_size=4), st.data())
def test_a_queue_takes_what_it_has_room_for_and_not_one_more(tasks: list[tuple[int, int]], data: st.DataObject) -> None:
    """Of tasks of several sizes whose pods all must run: the sum decides."""
    listed = [
        {
            "name": f"t{index}",
            "replicas": pods,
            "template": a_template(containers=[a_container(resources={"limits": {GPU: gpus}})]),
        }
        for index, (pods, gpus) in enumerate(tasks)
    ]
    job = a_volcano_job(*listed)
    job["spec"] |= {"queue": "test"}
    total = sum(pods * gpus for pods, gpus in tasks)
    assert judged(job, a_queue("test", gpu=total)) is None
    less = data.draw(st.integers(0, max(0, total - 1)))
    assert (judged(job, a_queue("test", gpu=less)) is None) == (less >= total)


def test_other_jobs_are_none_of_volcanos() -> None:
    """Whatever queues there are."""
    assert judged(a_batch_job(), a_queue("test", gpu=0)) is None


@pytest.mark.parametrize("capability", [{"cpu": "much"}, {"cpu": -1}])
def test_a_queue_that_is_none_is_said_to_be_malformed(capability: dict[str, Any]) -> None:
    """With the place."""
    with pytest.raises(MalformedJob, match="capability"):
        judged(a_job(cpu=1), a_queue("test", **capability))
