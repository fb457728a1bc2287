"""The scripts of nodes, as `post-install`: for the whole cluster if all nodes run the same ones."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.blueprint.parallelcluster.post_install import scripts, software
from muster.config.description.slurm_cross_field import post_install_faults
from muster.config.description.slurm_nodes import PostInstall, ScriptAddress, Software
from muster.finding import KeyPath
from muster.fleet.resources import Script
from muster.plain_data import as_list, value_at
from muster.sources.draft import Draft, is_valid

_SECONDS = 60
_TIMEOUTS = ("DevSettings", "Timeouts")


def add_scripts(draft: Draft, document: Mapping[str, Any]) -> None:
    """Adds the scripts of `OnNodeStart` and `OnNodeConfigured`, with the timeouts of nodes."""
    of_head = _of_node(draft, ("HeadNode",), value_at(document, "HeadNode"))
    queues = value_at(document, "Scheduling", "SlurmQueues")
    of_queues: dict[str, list[Script]] = {}
    for index, (name, queue) in enumerate(
        zip(draft.queue_names, queues if isinstance(queues, list) else [], strict=False)
    ):
        found = _of_node(draft, ("Scheduling", "SlurmQueues", index), queue)
        if name is not None:
            of_queues[name] = found
    of_pools = _of_pools(draft, document)
    if not of_head and not any(of_queues.values()) and not any(of_pools.values()):
        return
    head_minutes = _minutes(draft, document, "HeadNodeBootstrapTimeout")
    queue_minutes = _minutes(draft, document, "ComputeNodeBootstrapTimeout")
    for with_names in (True, False):  # AWS's scripts by name, if every node that needs them has them
        _add(draft, of_head, of_queues, head_minutes, queue_minutes, with_names=with_names)
        for name, found in of_pools.items():
            if found:
                pool = draft.cluster["login-nodes"][name]
                pool["post-install"] = _block(found, queue_minutes, with_names=with_names)
        if not list(post_install_faults(draft.cluster)):
            return


def _of_pools(draft: Draft, document: Mapping[str, Any]) -> dict[str, list[Script]]:
    pools = value_at(document, "LoginNodes", "Pools")
    found: dict[str, list[Script]] = {}
    for index, (name, pool) in enumerate(zip(draft.pool_names, pools if isinstance(pools, list) else [], strict=False)):
        scripts_of_pool = _of_node(draft, ("LoginNodes", "Pools", index), pool)
        if name is not None:
            found[name] = scripts_of_pool
    return found


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
    """AWS's scripts by name, if they come first after those at the start and in Muster's order, then the others."""
    at_start = [each for each in found if each.at_start]
    later = [each for each in found if not each.at_start]
    install: list[Software] = []
    for each in later if with_names else []:
        named = software(each) if not each.arguments else None
        if named is None or named in install:
            break
        install.append(named)
    ordered = scripts(PostInstall(install=tuple(install))) if install else ()
    if [each.at for each in ordered] != [each.at for each in later[: len(install)]]:
        install = []
    made: dict[str, Any] = {"install": [each.value for each in install]} if install else {}
    own = [*at_start, *later[len(install) :]]
    if own:
        made["scripts"] = [_own(each) for each in own]
    if minutes is not None:
        made["timeout-minutes"] = minutes
    return made


def _own(script: Script) -> dict[str, Any]:
    arguments = {"arguments": list(script.arguments)} if script.arguments else {}  # type: ignore[arg-type]
    return {"at": script.at, **arguments, **({"at-start": True} if script.at_start else {})}


def _of_node(draft: Draft, path: KeyPath, node: Any) -> list[Script]:
    """The scripts of a node, in the order in which they run."""
    actions = value_at(node, "CustomActions") if isinstance(node, Mapping) else None
    found = []
    for moment in ("OnNodeStart", "OnNodeConfigured"):
        action = value_at(actions, moment) if isinstance(actions, Mapping) else None
        if isinstance(action, Mapping):
            at = (*path, "CustomActions", moment)
            found += list(_of_moment(draft, at, action, at_start=moment == "OnNodeStart"))
    return found


def _of_moment(draft: Draft, at: KeyPath, action: Mapping[str, Any], *, at_start: bool) -> Iterator[Script]:
    sequence = action.get("Sequence")
    listed: list[tuple[KeyPath, Any]] = [(at, action)]
    if isinstance(sequence, list):
        listed = [((*at, "Sequence", index), each) for index, each in enumerate(sequence)]
    for where, each in listed:
        script = each.get("Script") if isinstance(each, Mapping) else None
        words = as_list(each.get("Args")) if isinstance(each, Mapping) else []
        if not is_valid(ScriptAddress, script) or any(not isinstance(word, str | int | float) for word in words):
            draft.leave(where, "its address is not one in S3 or with https, or an argument is not known")
            continue
        draft.take(where)
        yield Script(str(script), tuple(map(_word, words)), at_start)


def _word(value: str | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _minutes(draft: Draft, document: Mapping[str, Any], name: str) -> int | None:
    seconds = value_at(document, *_TIMEOUTS, name)
    if not isinstance(seconds, int) or isinstance(seconds, bool):
        return None
    draft.take((*_TIMEOUTS, name))
    return -(-seconds // _SECONDS)
