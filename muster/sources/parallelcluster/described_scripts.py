"""The scripts of nodes, as `post-install`: for the whole cluster if all nodes run the same ones."""

from collections.abc import Mapping
from typing import Any

from muster.blueprint.parallelcluster.post_install import scripts, software
from muster.config.description.slurm_cross_field import post_install_faults
from muster.config.description.slurm_nodes import PostInstall, ScriptAddress, Software
from muster.finding import KeyPath
from muster.fleet.resources import Script
from muster.plain_data import value_at
from muster.sources.draft import Draft, is_valid

_SECONDS = 60
_TIMEOUTS = ("DevSettings", "Timeouts")


def add_scripts(draft: Draft, document: Mapping[str, Any]) -> None:
    """Adds the scripts of `OnNodeConfigured`, with the timeouts of nodes."""
    of_head = _of_node(draft, ("HeadNode",), value_at(document, "HeadNode"))
    queues = value_at(document, "Scheduling", "SlurmQueues")
    of_queues: dict[str, list[Script]] = {}
    for index, (name, queue) in enumerate(
        zip(draft.queue_names, queues if isinstance(queues, list) else [], strict=False)
    ):
        found = _of_node(draft, ("Scheduling", "SlurmQueues", index), queue)
        if name is not None:
            of_queues[name] = found
    if not of_head and not any(of_queues.values()):
        return
    head_minutes = _minutes(draft, document, "HeadNodeBootstrapTimeout")
    queue_minutes = _minutes(draft, document, "ComputeNodeBootstrapTimeout")
    for with_names in (True, False):  # AWS's scripts by name, if every node that needs them has them
        _add(draft, of_head, of_queues, head_minutes, queue_minutes, with_names=with_names)
        if not list(post_install_faults(draft.cluster)):
            return


def _add(
    draft: Draft,
    of_head: list[Script],
    of_queues: Mapping[str, list[Script]],
    head_minutes: int | None,
    queue_minutes: int | None,
    *,
    with_names: bool,
) -> None:
    cluster = draft.cluster
    everywhere = of_head and all(each == of_head for each in of_queues.values())
    if everywhere and (queue_minutes is None or queue_minutes == head_minutes):
        cluster["post-install"] = _block(of_head, head_minutes, with_names=with_names)
        return
    if of_head:
        cluster["head"]["post-install"] = _block(of_head, head_minutes, with_names=with_names)
    for name, found in of_queues.items():
        if found:
            cluster["queues"][name]["post-install"] = _block(found, queue_minutes, with_names=with_names)


def _block(found: list[Script], minutes: int | None, *, with_names: bool) -> dict[str, Any]:
    """AWS's scripts by name, if they come first and in Muster's order, then the others."""
    install: list[Software] = []
    for each in found if with_names else []:
        named = software(each) if not each.arguments else None
        if named is None or named in install:
            break
        install.append(named)
    ordered = scripts(PostInstall(install=tuple(install))) if install else ()
    if [each.at for each in ordered] != [each.at for each in found[: len(install)]]:
        install = []
    made: dict[str, Any] = {"install": [each.value for each in install]} if install else {}
    own = [
        {"at": each.at, **({"arguments": list(each.arguments)} if each.arguments else {})}  # type: ignore[arg-type]
        for each in found[len(install) :]
    ]
    if own:
        made["scripts"] = own
    if minutes is not None:
        made["timeout-minutes"] = minutes
    return made


def _of_node(draft: Draft, path: KeyPath, node: Any) -> list[Script]:
    action = value_at(node, "CustomActions", "OnNodeConfigured") if isinstance(node, Mapping) else None
    if not isinstance(action, Mapping):
        return []
    at = (*path, "CustomActions", "OnNodeConfigured")
    sequence = action.get("Sequence")
    listed = (
        [((*at, "Sequence", index), each) for index, each in enumerate(sequence)]
        if isinstance(sequence, list)
        else [(at, action)]
    )
    found = []
    for where, each in listed:
        script = each.get("Script") if isinstance(each, Mapping) else None
        arguments = each.get("Args") if isinstance(each, Mapping) else None
        words = arguments if isinstance(arguments, list) else [] if arguments is None else [arguments]
        if not is_valid(ScriptAddress, script) or any(not isinstance(word, str | int | float) for word in words):
            draft.leave(where, "its address is not one in S3 or with https, or an argument is not known")
            continue
        draft.take(where)
        found.append(Script(script, tuple(map(_word, words))))
    return found


def _word(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _minutes(draft: Draft, document: Mapping[str, Any], name: str) -> int | None:
    seconds = value_at(document, *_TIMEOUTS, name)
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        return None
    draft.take((*_TIMEOUTS, name))
    return -(-seconds // _SECONDS)
