"""A rehearsal as JSON, by the contract of `muster rehearse --json`."""

from typing import Any

from muster.cli.findings import CONTRACT, Where
from muster.cli.writers.json import dump, place
from muster.rehearsal.outcome import Cause, Drill, Moment, NodeReport, Outcome, Waiting


def write(outcome: Outcome, places: dict[str, Where]) -> str:
    """The whole rehearsal, as one document; amounts are milli-CPUs, bytes, or devices.

    Args:
        outcome: the rehearsal.
        places: the position in the stack file of the path of a cause.
    """
    return dump(
        {
            "contract": CONTRACT,
            "stack": outcome.stack,
            "job": outcome.job,
            "kind": outcome.kind,
            "kubernetes": outcome.kubernetes or None,
            "slurm": outcome.slurm or None,
            "verdict": outcome.verdict.value,
            "unit": outcome.unit.value,
            "pods": {"running": outcome.running, "waiting": outcome.not_running},
            "waiting": [_waiting(each, places) for each in outcome.waiting],
            "standIns": [
                {"name": each.name, "playedBy": each.simulated_by, "why": each.why} for each in outcome.simulated_parts
            ],
            "notes": list(outcome.notes),
            "nodes": [_node(each) for each in outcome.nodes],
            "placed": {pod.name: pod.node for pod in outcome.pods},
            "timeline": [_moment(each) for each in outcome.moments],
            "drills": [_drill(each, places) for each in outcome.drills],
            "binaries": {each.name: {"version": each.version, "source": each.source} for each in outcome.programs},
            "seconds": outcome.seconds,
            "peakMemoryMiB": outcome.peak_memory_mib,
        }
    )


def _waiting(waiting: Waiting, places: dict[str, Where]) -> dict[str, Any]:
    return {"pod": waiting.pod, "reason": waiting.reason, **_cause(waiting.cause, places)}


def _cause(cause: Cause, places: dict[str, Where]) -> dict[str, Any]:
    where = places.get(cause.where)
    return {
        "id": cause.id,
        "cause": cause.said,
        "remedy": cause.remedy,
        "where": place(where) if where else None,
        "arithmetic": [
            {
                "resource": each.resource,
                "asked": each.asked,
                "nodes": each.nodes,
                "mostOnANode": each.most_on_a_node,
                "offered": each.offered,
                "inUse": each.in_use,
                "mostFree": each.most_free,
            }
            for each in cause.sums
        ],
    }


def _node(node: NodeReport) -> dict[str, Any]:
    return {
        "name": node.name,
        "group": node.group,
        "instance": node.instance,
        "zone": node.zone,
        "resources": {
            name: {"planned": each.planned, "offered": each.offered, "used": each.used}
            for name, each in node.amounts.items()
        },
        "pods": list(node.pods),
    }


def _moment(moment: Moment) -> dict[str, Any]:
    return {"seconds": moment.seconds, "what": moment.said, "tone": moment.tone.value}


def _drill(drill: Drill, places: dict[str, Where]) -> dict[str, Any]:
    return {
        "drill": drill.name,
        "running": {"before": drill.running_before, "after": drill.running_after, "atLast": drill.running_at_last},
        "comesBack": drill.comes_back,
        "said": drill.said,
        "assumes": drill.assumes or None,
        "timeline": [_moment(each) for each in drill.moments],
        "waiting": [_waiting(each, places) for each in drill.waiting],
    }
