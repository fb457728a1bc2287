"""A configuration by the package's schema and validators, each message with its path."""

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
    """Each message with its path; marshmallow's messages about a whole block have the block's."""
    if isinstance(messages, dict):
        for key, below in messages.items():
            yield from schema_messages(below, at if key in {"_schema", "value"} else (*at, key))
    elif isinstance(messages, list):
        for each in messages:
            yield from schema_messages(each, at)
    else:
        yield message(SCHEMA, ERROR, str(messages), at)


def message(validator: str, level: str, text: str, at: Path, **more: Any) -> dict[str, Any]:
    """One message in the form of `muster.authority.validation`."""
    return {"validator": validator, "level": level, "text": text, "path": list(at), **more}


_KEYS = {"queues": "SlurmQueues", "settings": "SlurmSettings"}
"""Attributes that are not called as their keys are."""


def resources_with_paths(top: Resource, configuration: Mapping[str, Any]) -> Iterator[tuple[Resource, Path]]:
    """Every object, those inside first, as the package itself validates them, each with its path."""
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
    """The key of an attribute; None where the configuration lacks it."""
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
"""Arguments of validators -> the key whose value they are, the tellingest first."""


def narrow_path(at: Path, arguments: Mapping[str, Any], configuration: Mapping[str, Any]) -> Path:
    """The path of the value that a block's validator judges, where its arguments tell it."""
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
    """The path of the compute resource or queue that the arguments name; () where there is none."""
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
    """Every plain value below a place: its path, its key, itself."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        if isinstance(each, dict | list):
            yield from _leaves(each, (*at, key))
        else:
            yield (*at, key), key, each


def judge(
    cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any], suppressed: list[str]
) -> dict[str, Any]:
    """The messages of the schema, and where there are none, those of each validator but the suppressed ones."""
    begun = time.perf_counter()
    here = MotoAccount(account)
    loading = _load(cluster, here.placed(configuration))
    ran: dict[str, int] = {}
    left: set[str] = set()
    messages = loading["messages"]
    if not messages:
        messages = list(_validated(loading["config"], here.placed(configuration), frozenset(suppressed), ran, left))
    in_our_names = [{**each, "text": here.told(each["text"])} for each in messages]
    seconds = round(time.perf_counter() - begun, 3)
    return {"messages": in_our_names, "ran": ran, "suppressed": sorted(left), "seconds": seconds}


def loaded(cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any]) -> dict[str, Any]:
    """What the schema makes of a configuration: its messages, or every value as ParallelCluster then has it."""
    here = MotoAccount(account)
    loading = _load(cluster, here.placed(configuration))
    if loading["messages"]:
        return {"messages": [{**each, "text": here.told(each["text"])} for each in loading["messages"]]}
    dumped = ClusterSchema(cluster_name=cluster).dump(deepcopy(loading["config"]))
    # Of any type, and read where they are used: dumped they are what was given. Slurm's own settings are lines of a
    # file then.
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
    except Exception as cause:  # noqa: BLE001  (it queries instance types while it loads: one that moto lacks)
        return {"messages": [message(SCHEMA, ERROR, f"{type(cause).__name__}: {cause}", (), crashed=True)]}
    config.source_config = configuration
    return {"messages": [], "config": config}


def _with_muster_ids(value: Any, here: MotoAccount) -> Any:
    if isinstance(value, dict):
        return {key: _with_muster_ids(each, here) for key, each in value.items()}
    if isinstance(value, list):
        return [_with_muster_ids(each, here) for each in value]
    return here.told(value) if isinstance(value, str) else value


def _validated(
    config: Resource, configuration: dict[str, Any], suppressed: frozenset[str], ran: dict[str, int], left: set[str]
) -> Iterator[dict[str, Any]]:
    """As `Resource.validate` does it, with what that leaves out: where a message belongs, and whether a validator
    judged or only failed."""
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
    except Exception as cause:  # noqa: BLE001  (the package takes that for an error; here it is an answer that failed)
        yield message(validator.type, ERROR, f"{type(cause).__name__}: {cause}", at, crashed=True)
        return
    for each in results:
        yield message(validator.type, str(each.level), each.message, at)


def by_package(
    cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any], suppressed: list[str]
) -> list[list[str]]:
    """The messages of the package's own `validate`, with which tests compare `judge`. Class, level and text, sorted."""
    here = MotoAccount(account)
    config = _load(cluster, here.placed(configuration))["config"]
    asyncio.set_event_loop(asyncio.new_event_loop())
    results = config.validate({TypeMatchValidatorsSuppressor(set(suppressed))}, ValidatorContext())
    return sorted([each.validator_type, str(each.level), here.told(each.message)] for each in results)
