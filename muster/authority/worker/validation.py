"""Validates a configuration with the package's schema and validators, and adds the path to each message."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from marshmallow import ValidationError
from pcluster.config.common import Resource, TypeMatchValidatorsSuppressor
from pcluster.schemas.cluster_schema import ClusterSchema
from pcluster.utils import to_pascal_case
from pcluster.validators.common import AsyncValidator, ValidatorContext

from muster.authority.worker.moto_account import MotoAccount

SCHEMA = "schema"
ERROR = "ERROR"

Path = tuple[str | int, ...]


def schema_messages(messages: Any, at: Path = ()) -> Iterator[dict[str, Any]]:
    """The messages, each with its path. Messages of marshmallow about a whole block have the path of the block."""
    if isinstance(messages, dict):
        for key, below in messages.items():
            yield from schema_messages(below, at if key in {"_schema", "value"} else (*at, key))
    elif isinstance(messages, list):
        for each in messages:
            yield from schema_messages(each, at)
    else:
        yield message(SCHEMA, ERROR, str(messages), at)


def message(validator: str, level: str, text: str, at: Path, **more: Any) -> dict[str, Any]:
    """One message, in the format that `muster.authority.validation` reads."""
    return {"validator": validator, "level": level, "text": text, "path": list(at), **more}


_KEYS = {"queues": "SlurmQueues", "settings": "SlurmSettings"}
"""Attributes whose names differ from their keys."""


def resources_with_paths(top: Resource, configuration: Mapping[str, Any]) -> Iterator[tuple[Resource, Path]]:
    """All objects with their paths, inner objects first, in the order in which the package validates them."""
    yield from _resources_below(top, configuration, ())


def _resources_below(resource: Resource, block: Any, at: Path) -> Iterator[tuple[Resource, Path]]:
    for name, value in vars(resource).items():
        key = _key(name, block)
        if isinstance(value, Resource):
            yield from _resources_below(value, block[key] if key else block, (*at, key) if key else at)
        elif isinstance(value, list):
            entries = block[key] if key and isinstance(block[key], list) else []
            for index, each in enumerate(value):
                if isinstance(each, Resource) and key and index < len(entries):
                    yield from _resources_below(each, entries[index], (*at, key, index))
                elif isinstance(each, Resource):
                    yield from _resources_below(each, block, at)
    yield resource, at


def _key(name: str, block: Any) -> str | None:
    """The key of an attribute; None if the configuration does not contain it."""
    key = _KEYS.get(name, to_pascal_case(name.removeprefix("_")))
    return key if isinstance(block, dict) and key in block else None


_LEAVES = {
    "capacity_reservation_id": "CapacityReservationId",
    "capacity_reservation_resource_group_arn": "CapacityReservationResourceGroupArn",
    "custom_ami": "CustomAmi",
    "head_node_instance_type": "InstanceType",
    "image": "CustomAmi",
    "image_id": "CustomAmi",
    "instance_type": "InstanceType",
    "key_name": "KeyName",
    "mount_dir": "MountDir",
    "os": "Os",
    "script": "Script",
}
"""Argument of a validator -> the key whose value it is; the most specific ones first."""


def narrow_path(at: Path, arguments: Mapping[str, Any], configuration: Mapping[str, Any]) -> Path:
    """The path of the value that a validator of a block checks, if its arguments show which value it is."""
    named = _named_in(arguments, configuration)
    if named[: len(at)] == at and len(named) > len(at):
        at = named
    for argument, key in _LEAVES.items():
        if arguments.get(argument) is not None:
            found = next(
                (path for path in _leaves(_value(configuration, at), at) if path[1:] == (key, arguments[argument])),
                None,
            )
            if found:
                return found[0]
    return at


def _named_in(arguments: Mapping[str, Any], configuration: Mapping[str, Any]) -> Path:
    """The path of the compute resource or queue that the arguments name; () if they name none."""
    queue, resource = arguments.get("queue_name"), arguments.get("compute_resource_name")
    for index, each in enumerate(configuration.get("Scheduling", {}).get("SlurmQueues", [])):
        below: Path = ("Scheduling", "SlurmQueues", index)
        for number, inner in enumerate(each.get("ComputeResources", [])):
            if resource is not None and inner.get("Name") == resource and queue in {None, each.get("Name")}:
                return (*below, "ComputeResources", number)
        if queue is not None and each.get("Name") == queue and resource is None:
            return below
    return ()


def _value(configuration: Any, at: Path) -> Any:
    for step in at:
        configuration = configuration[step]
    return configuration


def _leaves(value: Any, at: Path) -> Iterator[tuple[Path, str | int, Any]]:
    """All plain values below a path: path, key and value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        if isinstance(each, dict | list):
            yield from _leaves(each, (*at, key))
        else:
            yield (*at, key), key, each


def judge(
    cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any], suppressed: list[str]
) -> dict[str, Any]:
    """The messages of the schema; if there are none, the messages of all validators except the suppressed ones."""
    begun = time.perf_counter()
    here = MotoAccount(account)
    loading = _load(cluster, here.placed(configuration))
    ran: dict[str, int] = {}
    left: set[str] = set()
    messages = loading["messages"]
    if not messages:
        messages = list(_validated(loading["config"], here.placed(configuration), frozenset(suppressed), ran, left))
    in_our_names = [{**each, "text": here.with_muster_names(each["text"])} for each in messages]
    seconds = round(time.perf_counter() - begun, 3)
    return {"messages": in_our_names, "ran": ran, "suppressed": sorted(left), "seconds": seconds}


def loaded(cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration after the schema has loaded it: the messages, or all values, including defaults."""
    here = MotoAccount(account)
    loading = _load(cluster, here.placed(configuration))
    if loading["messages"]:
        return {"messages": [{**each, "text": here.with_muster_names(each["text"])} for each in loading["messages"]]}
    dumped = ClusterSchema(cluster_name=cluster).dump(deepcopy(loading["config"]))
    # These values can have any type, and are dumped as they were given. In the file for Slurm they are text.
    slurm = dumped["Scheduling"]["SlurmSettings"]
    slurm["CustomSlurmSettings"] = [
        {key: str(value) for key, value in each.items()} for each in slurm["CustomSlurmSettings"] or ()
    ]
    networking = loading["config"].head_node.networking
    dumped["HeadNode"]["Networking"]["ElasticIp"] = networking.headnode_elastic_ip
    return {"messages": [], "values": _with_muster_ids(dumped, here)}


def _load(cluster: str, configuration: dict[str, Any]) -> dict[str, Any]:
    try:
        config = ClusterSchema(cluster_name=cluster).load(deepcopy(configuration))
    except ValidationError as refused:
        return {"messages": list(schema_messages(refused.messages))}
    except Exception as cause:  # noqa: BLE001  (loading queries instance types; moto may lack one)
        return {"messages": [message(SCHEMA, ERROR, f"{type(cause).__name__}: {cause}", (), crashed=True)]}
    config.source_config = configuration
    return {"messages": [], "config": config}


def _with_muster_ids(value: Any, here: MotoAccount) -> Any:
    if isinstance(value, dict):
        return {key: _with_muster_ids(each, here) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_muster_ids(each, here) for each in value]
    return here.with_muster_names(value) if isinstance(value, str) else value


def _validated(
    config: Resource, configuration: dict[str, Any], suppressed: frozenset[str], ran: dict[str, int], left: set[str]
) -> Iterator[dict[str, Any]]:
    """Like `Resource.validate`, but with the path of each message, and whether the validator crashed."""
    context = ValidatorContext()
    for resource, at in resources_with_paths(config, configuration):
        resource._validators.clear()  # noqa: SLF001  (a resource has no other list of its validators)
        resource._register_validators(context)  # noqa: SLF001
        for kind, arguments in resource._validators:  # noqa: SLF001
            name = kind.__name__
            if name in suppressed:
                left.add(name)
                continue
            ran[name] = ran.get(name, 0) + 1
            yield from _messages_of(kind(), arguments, narrow_path(at, arguments, configuration))


def _messages_of(validator: Any, arguments: dict[str, Any], at: Path) -> Iterator[dict[str, Any]]:
    try:
        results = asyncio.run(validator.execute_async(**arguments)) if isinstance(validator, AsyncValidator) else None
        if results is None:
            results = validator.execute(**arguments)
    except Exception as cause:  # noqa: BLE001  (the package reports that as an error; here it is a crash)
        yield message(validator.type, ERROR, f"{type(cause).__name__}: {cause}", at, crashed=True)
        return
    for each in results:
        yield message(validator.type, str(each.level), each.message, at)


def by_package(
    cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any], suppressed: list[str]
) -> list[list[str]]:
    """The messages of the package's own `validate` (class, level and text, sorted). Tests compare `judge` with them."""
    here = MotoAccount(account)
    config = _load(cluster, here.placed(configuration))["config"]
    asyncio.set_event_loop(asyncio.new_event_loop())
    results = config.validate({TypeMatchValidatorsSuppressor(set(suppressed))}, ValidatorContext())
    return sorted([each.validator_type, str(each.level), here.with_muster_names(each.message)] for each in results)
