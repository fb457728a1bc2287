"""Made-up outcomes of rehearsals: small ones by hand, large ones by number, and what hostile names make of them."""

from dataclasses import replace
from typing import Any

from muster.rehearsal.outcome import (
    Amount,
    Cause,
    Drill,
    Moment,
    NodeReport,
    Outcome,
    PodReport,
    PodState,
    Program,
    SimulatedPart,
    Sum,
    Tone,
    Verdict,
    Waiting,
)

GPU, EFA = "nvidia.com/gpu", "vpc.amazonaws.com/efa"
MIB = 2**20

REASON = "0/5 nodes are available: 4 Insufficient nvidia.com/gpu, 4 Insufficient vpc.amazonaws.com/efa."

FULL = Cause(
    "group-full",
    "no node has 8 nvidia.com/gpu left",
    "give the group 5 nodes, or ask for 4 replicas",
    "groups.workers.nodes",
    (Sum(GPU, 8, 4, 8, 32, 32, 0), Sum("memory", 32000 * MIB, 4, 1928154 * MIB, 4 * 1928154 * MIB, MIB, 1928153 * MIB)),
)


def a_node(number: int = 0, **changes: Any) -> NodeReport:
    """A p5.48xlarge that a pod of the job fills."""
    amounts = {
        "cpu": Amount(191450, 191450, 96000),
        GPU: Amount(8, 8, 8),
        EFA: Amount(32, 32, 32),
        **changes.pop("amounts", {}),
    }
    name = f"ip-10-0-{number // 250}-{number % 250}.us-west-2.compute.internal"
    made = NodeReport(name, "workers", "p5.48xlarge", "us-west-2a", amounts, (f"nccl-tests-worker-{number}",))
    return replace(made, **changes)


def a_free_node(number: int = 0, **changes: Any) -> NodeReport:
    """A p5.48xlarge that nothing runs on."""
    free = {"cpu": Amount(191450, 191450, 0), GPU: Amount(8, 8, 0), EFA: Amount(32, 32, 0)}
    return a_node(number, **{"pods": (), **changes, "amounts": {**free, **changes.get("amounts", {})}})


def a_pod(number: int = 0, state: PodState = PodState.RUNNING) -> PodReport:
    """A worker."""
    node = a_node(number).name if state is PodState.RUNNING else None
    return PodReport(f"nccl-tests-worker-{number}", "worker", state, node)


def an_outcome(**changes: Any) -> Outcome:
    """One node, one pod, and it starts."""
    made = Outcome(
        stack="p5-odcr",
        job="nccl-tests",
        kind="MPIJob",
        kubernetes="1.35",
        programs=(Program("etcd", "3.6.5", "built"),),
        verdict=Verdict.STARTS,
        nodes=(a_node(),),
        pods=(a_pod(),),
        waiting=(),
        simulated_parts=(SimulatedPart("MPI operator", "the pods it makes", "its controller is in no registry"),),
        moments=(Moment(0, "the job was sent"), Moment(1.25, "all pods run", Tone.GOOD)),
        seconds=4.5,
        peak_memory_mib=812,
    )
    return replace(made, **changes)


def one_too_few(waiting: int = 1) -> Outcome:
    """Four nodes, four pods that run, and some for which there is no node."""
    late = tuple(a_pod(4 + number, PodState.WAITING) for number in range(waiting))
    return an_outcome(
        verdict=Verdict.DOES_NOT_START,
        nodes=tuple(a_node(number) for number in range(4)),
        pods=(*(a_pod(number) for number in range(4)), *late),
        waiting=tuple(Waiting(pod.name, REASON, FULL) for pod in late),
    )


def large(nodes: int) -> Outcome:
    """A whole cluster: a few nodes free or degraded, and as many pods waiting as run."""
    odd = {
        3: {"amounts": {EFA: Amount(32, 31, 0), GPU: Amount(8, 8, 0)}, "pods": ()},
    }
    seen = tuple(
        a_free_node(number) if number % 50 == 7 else a_node(number, **odd.get(number % 250, {}))
        for number in range(nodes)
    )
    late = tuple(a_pod(nodes + number, PodState.WAITING) for number in range(nodes))
    return an_outcome(
        verdict=Verdict.DOES_NOT_START,
        nodes=seen,
        pods=(*(a_pod(number) for number in range(nodes)), *late),
        waiting=tuple(Waiting(pod.name, REASON, FULL) for pod in late),
        moments=tuple(Moment(number / 100, f"pod {number} runs", Tone.GOOD) for number in range(nodes)),
    )


def a_drill(**changes: Any) -> Drill:
    """A node is lost, and not replaced."""
    made = Drill(
        "lose-nodes 1",
        (Moment(10, "a node is lost", Tone.BAD),),
        running_before=4,
        running_after=3,
        running_at_last=4,
        said="the job stops, and starts anew once the node is replaced",
        waiting=(Waiting("nccl-tests-worker-0", REASON, FULL),),
    )
    return replace(made, **changes)


def everything_named(text: str, nodes: int = 1) -> Outcome:
    """An outcome in which every text is the same."""
    cause = Cause(text, text, text, text, (Sum(text, 2, 1, 1, 1, 0, 1),))
    waiting = (Waiting(text, text, cause),)
    moments = (Moment(0, text), Moment(1, text, Tone.BAD))
    amounts = {f"{text}/efa": Amount(8, 7, 2)}
    return Outcome(
        stack=text,
        job=text,
        kind=text,
        kubernetes=text,
        programs=(Program(text, text, text),),
        verdict=Verdict.DOES_NOT_START,
        nodes=tuple(NodeReport(text, text, text, text, amounts, (text,), text) for _ in range(nodes)),
        pods=(PodReport(text, text, PodState.WAITING, None),),
        waiting=waiting,
        simulated_parts=(SimulatedPart(text, text, text),),
        moments=moments,
        notes=(text,),
        if_exist=(text,),
        drills=(Drill(text, moments, 2, 1, 2, text, waiting, lost=(text,)),),
    )


HOSTILE = (
    '<script>alert("1")</script>',
    "\"'><img src=x onerror=alert(1)>",
    "</style></title><b>",
    "{{ 7 * 7 }}{% raw %}",
    "abc\u202edef\u200f",
    "\x00\x1b[31m\ud800",
    "👩‍👩‍👧 🚀",
    "שלום",
    "n" * 5000,
    "two\nlines & more",
)
"""Texts that must stay texts."""
