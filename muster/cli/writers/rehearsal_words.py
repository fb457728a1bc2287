"""What a rehearsal found, in words and groups: the verdict in a sentence, pods that do not run for one reason."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from muster.cli.writers.rehearsal_picture import ordered
from muster.rehearsal.outcome import Outcome, PodSeen, PodState, Unit, Verdict, Waiting
from muster.words import listed


@dataclass(frozen=True, slots=True)
class Alike:
    """Pods that do not run, for one and the same reason."""

    pods: tuple[str, ...]
    role: str
    """Empty where it is not a pod of the job as it was listed."""
    state: PodState
    asks: tuple[tuple[str, int], ...]
    reason: str
    """Empty where nobody gave one."""
    cause: str
    """Its id; empty where nobody gave one."""


def headline(outcome: Outcome) -> str:
    """The verdict in a sentence: ``nccl-tests starts on p5-odcr: 3 of 3 pods run``; with each drill that ends badly."""
    found = f"{outcome.job} {'starts' if outcome.verdict is Verdict.STARTS else 'does not start'} on {outcome.stack}"
    return f"{found}: {tally(outcome)}{_not_back(outcome)}"


def _not_back(outcome: Outcome) -> str:
    """``; it does not come back after lose-nodes 4 (0 of 3 run)``; empty where it comes back after each drill."""
    ends = [f"{each.name} ({each.running_at_last} of {each.running_before} run)" for each in outcome.not_back]
    return f"; it does not come back after {listed(ends)}" if ends else ""


def tally(outcome: Outcome) -> str:
    """How many pods do what the verdict is about: ``1 of 5 pods waits``; of a Slurm job, on how many nodes it runs."""
    if outcome.unit is Unit.NODE:
        return _nodes(outcome)
    total, states = len(outcome.pods), Counter(pod.state for pod in outcome.pods)
    if not total:
        return "it has no pods"
    waiting, unmade = states[PodState.WAITING], states[PodState.NOT_CREATED]
    pods = f"of {total} {'pod' if total == 1 else 'pods'}"
    if outcome.verdict is Verdict.STARTS or not waiting + unmade:
        said = f"{states[PodState.RUNNING]} {pods} {'runs' if states[PodState.RUNNING] == 1 else 'run'}"
        left = [f"{waiting} {'waits' if waiting == 1 else 'wait'}"] if waiting else []
    elif waiting:
        said, left = f"{waiting} {pods} {'waits' if waiting == 1 else 'wait'}", []
    else:
        return f"{unmade} {pods} {'is' if unmade == 1 else 'are'} not created"
    if unmade:
        left.append(f"{unmade} {'is' if unmade == 1 else 'are'} not created")
    return ", ".join((said, *left))


def _nodes(outcome: Outcome) -> str:
    """A Slurm job has all of its nodes or none."""
    number = len(outcome.pods)
    nodes = f"{number} node{'' if number == 1 else 's'}"
    if outcome.verdict is Verdict.STARTS:
        return f"it runs on {nodes}"
    return f"it waits for {nodes}" if any(pod.state is PodState.WAITING for pod in outcome.pods) else "Slurm refuses it"


def not_running(outcome: Outcome) -> tuple[Alike, ...]:
    """Every pod of the job that does not run, equal ones together, the largest group first."""
    told: Mapping[str, Waiting] = {each.pod: each for each in outcome.waiting}
    listed = [pod for pod in outcome.pods if pod.state is not PodState.RUNNING]
    names = {pod.name for pod in outcome.pods}
    listed += [PodSeen(each, "", PodState.WAITING, None, {}) for each in told if each not in names]
    groups: dict[tuple[object, ...], list[PodSeen]] = {}
    for pod in listed:
        groups.setdefault((pod.role, pod.state, _asks(pod), told.get(pod.name) and _why(told[pod.name])), []).append(
            pod
        )
    made = [_alike(pods, told.get(pods[0].name)) for pods in groups.values()]
    return tuple(sorted(made, key=lambda each: -len(each.pods)))


def _why(waiting: Waiting) -> tuple[str, str]:
    return waiting.reason, waiting.cause.id


def _asks(pod: PodSeen) -> tuple[tuple[str, int], ...]:
    return tuple((resource, pod.asks[resource]) for resource in ordered(pod.asks))


def _alike(pods: list[PodSeen], told: Waiting | None) -> Alike:
    first = pods[0]
    reason, cause = _why(told) if told else ("", "")
    return Alike(tuple(pod.name for pod in pods), first.role, first.state, _asks(first), reason, cause)
