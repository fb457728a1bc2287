"""What the text and the page of a rehearsal share: the verdict in a sentence, the rows of nodes, the arithmetic."""

from collections import Counter
from collections.abc import Callable, Iterator

from muster.kubernetes_quantity import BUILT_IN, format_amount, format_amounts, is_bytes
from muster.message_text import list_names
from muster.rehearsal.outcome import (
    Amount,
    GroupedCause,
    NodeReport,
    Outcome,
    PodState,
    Program,
    Sum,
    Unit,
    Verdict,
    nodes_by_group,
)

_MOST_NODES = 24
"""Beyond this number, nodes are listed by group."""
_MOST_PODS = 3
_PARTS = {Unit.POD: "the job's pods", Unit.NODE: "the job"}


def headline(outcome: Outcome) -> str:
    """The worst result in a sentence: ``nccl-tests starts on p5-odcr: 3 of 3 pods run``, or that it does not start, or
    that it does not recover from a drill."""
    ends = [f"{each.name} ({each.running_at_last} of {each.running_before} run)" for each in outcome.not_back]
    if outcome.verdict is Verdict.STARTS and ends:
        return f"{outcome.job} starts on {outcome.stack}, but does not recover from {list_names(ends)}"
    found = f"{outcome.job} {'starts' if outcome.verdict is Verdict.STARTS else 'does not start'} on {outcome.stack}"
    back = list_names([each.name for each in outcome.drills if each.comes_back])
    return f"{found}: {tally(outcome)}" + (f"; it recovers from {back}" if back else "")


def tally(outcome: Outcome) -> str:
    """How many pods do what the verdict is about: ``1 of 5 pods waits``; of a Slurm job, on how many nodes it runs."""
    if outcome.unit is Unit.NODE:
        return _of_slurm(outcome)
    total, states = len(outcome.pods), Counter(pod.state for pod in outcome.pods)
    if not total:
        return "it has no pods"
    running, waiting, unmade = (states[each] for each in (PodState.RUNNING, PodState.WAITING, PodState.NOT_CREATED))
    pods = f"of {total} {'pod' if total == 1 else 'pods'}"
    waits = f"{'waits' if waiting == 1 else 'wait'}"
    not_created = f"{'is' if unmade == 1 else 'are'} not created"
    if outcome.verdict is Verdict.STARTS or not waiting + unmade:
        text = f"{running} {pods} {'runs' if running == 1 else 'run'}" + (f", {waiting} {waits}" if waiting else "")
    elif waiting:
        text = f"{waiting} {pods} {waits}"
    else:
        return f"{unmade} {pods} {not_created}"
    return f"{text}, {unmade} {not_created}" if unmade else text


def _of_slurm(outcome: Outcome) -> str:
    """A Slurm job has all of its nodes or none."""
    number = len(outcome.pods)
    nodes = f"{number} node{'' if number == 1 else 's'}"
    if outcome.verdict is Verdict.STARTS:
        return f"it runs on {nodes}"
    return f"it waits for {nodes}" if any(pod.state is PodState.WAITING for pod in outcome.pods) else "Slurm refuses it"


def node_heads(outcome: Outcome) -> tuple[str, ...]:
    """The headers of the columns of `node_rows`."""
    return "node", "zone", "offers", "in use", _PARTS[outcome.unit]


def node_rows(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    """One row for each node, or for each group if there are many nodes."""
    many = len(outcome.nodes) > _MOST_NODES
    for nodes in nodes_by_group(outcome.nodes) if many else ((node,) for node in outcome.nodes):
        first = nodes[0]
        name = f"{len(nodes)} x {first.group} ({first.instance})" if many else f"{first.name} ({first.instance})"
        yield (
            name,
            ", ".join(dict.fromkeys(node.zone for node in nodes)) or "-",
            _amounts(nodes, lambda each: each.offered, what_lacks=True),
            _amounts(nodes, lambda each: each.used),
            str(sum(len(node.pods) for node in nodes)) if many else ", ".join(first.pods) or "-",
        )


def _amounts(nodes: tuple[NodeReport, ...], of: Callable[[Amount], int], *, what_lacks: bool = False) -> str:
    """Devices and huge pages, summed; ``24 of 32`` where nodes offer fewer than planned."""
    text = []
    for resource in nodes[0].amounts:
        if resource in BUILT_IN:
            continue
        every = [node.amounts[resource] for node in nodes]
        number, planned = sum(of(each) for each in every), sum(each.planned for each in every)
        lacking = f" of {planned}" if what_lacks and number != planned and not is_bytes(resource) else ""
        if number or lacking:
            text.append(f"{resource} {format_amount(resource, number)}{lacking}")
    return ", ".join(text) or "-"


def waiting_pods(seen: GroupedCause) -> str:
    """The first pods that wait for a cause, and the number of the others."""
    left = len(seen.pods) - _MOST_PODS
    return ", ".join(seen.pods[:_MOST_PODS]) + (f" and {left} more" if left > 0 else "")


def sum_text(sum_: Sum) -> str:
    """The arithmetic of a resource in a sentence."""
    requested, offered, most, in_use, free = format_amounts(
        sum_.resource, sum_.asked, sum_.offered, sum_.most_on_a_node, sum_.in_use, sum_.most_free
    )
    nodes = f"{sum_.nodes} node{'' if sum_.nodes == 1 else 's'}"
    return (
        f"{sum_.resource}: requested {requested}; offered {offered} by {nodes} (at most {most} by one node); "
        f"in use {in_use}; free on one node: at most {free}"
    )


def program_text(program: Program) -> str:
    """``etcd 3.6.8``, with its source if Muster did not build it."""
    return f"{program.name} {program.version}" + (f" (of {program.source})" if program.source != "built" else "")
