"""A configuration by the package's schema and by its validators."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from marshmallow import ValidationError
from pcluster.config.common import Resource, TypeMatchValidatorsSuppressor
from pcluster.schemas.cluster_schema import ClusterSchema
from pcluster.validators.common import AsyncValidator, ValidatorContext

from muster.authority.worker.faults import ERROR, SCHEMA, Path, faults_of, message
from muster.authority.worker.places import narrowed, resources
from muster.authority.worker.stand_in import StandIn


def judge(
    cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any], suppressed: list[str]
) -> dict[str, Any]:
    """What the schema says, and where it takes the configuration, what each validator says but those suppressed."""
    begun = time.perf_counter()
    here = StandIn(account)
    loading = _load(cluster, here.placed(configuration))
    ran: dict[str, int] = {}
    left: set[str] = set()
    messages = loading["messages"]
    if not messages:
        messages = list(_validated(loading["config"], here.placed(configuration), frozenset(suppressed), ran, left))
    told = [{**each, "text": here.told(each["text"])} for each in messages]
    seconds = round(time.perf_counter() - begun, 3)
    return {"messages": told, "ran": ran, "suppressed": sorted(left), "seconds": seconds}


def loaded(cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any]) -> dict[str, Any]:
    """What the schema makes of a configuration: its messages, or every value as ParallelCluster then has it."""
    here = StandIn(account)
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
    return {"messages": [], "values": _told(dumped, here)}


def _load(cluster: str, configuration: dict[str, Any]) -> dict[str, Any]:
    try:
        config = ClusterSchema(cluster_name=cluster).load(deepcopy(configuration))
    except ValidationError as refused:
        return {"messages": list(faults_of(refused.messages))}
    except Exception as cause:  # noqa: BLE001  (it asks for instance types while it loads: one that moto lacks)
        return {"messages": [message(SCHEMA, ERROR, f"{type(cause).__name__}: {cause}", (), crashed=True)]}
    config.source_config = configuration
    return {"messages": [], "config": config}


def _told(value: Any, here: StandIn) -> Any:
    if isinstance(value, dict):
        return {key: _told(each, here) for key, each in value.items()}
    if isinstance(value, list):
        return [_told(each, here) for each in value]
    return here.told(value) if isinstance(value, str) else value


def _validated(
    config: Resource, configuration: dict[str, Any], suppressed: frozenset[str], ran: dict[str, int], left: set[str]
) -> Iterator[dict[str, Any]]:
    """As `Resource.validate` does it, with what that leaves out: where a message belongs, and whether a validator
    judged or only failed."""
    context = ValidatorContext()
    for resource, at in resources(config, configuration):
        resource._validators.clear()  # noqa: SLF001  (a resource has no other list of its validators)
        resource._register_validators(context)  # noqa: SLF001
        for kind, asked in resource._validators:  # noqa: SLF001
            name = kind.__name__
            if name in suppressed:
                left.add(name)
                continue
            ran[name] = ran.get(name, 0) + 1
            yield from _said_by(kind(), asked, narrowed(at, asked, configuration))


def _said_by(validator: Any, asked: dict[str, Any], at: Path) -> Iterator[dict[str, Any]]:
    try:
        said = asyncio.run(validator.execute_async(**asked)) if isinstance(validator, AsyncValidator) else None
        if said is None:
            said = validator.execute(**asked)
    except Exception as cause:  # noqa: BLE001  (the package takes that for an error; here it is an answer that failed)
        yield message(validator.type, ERROR, f"{type(cause).__name__}: {cause}", at, crashed=True)
        return
    for each in said:
        yield message(validator.type, str(each.level), each.message, at)


def by_package(
    cluster: str, configuration: Mapping[str, Any], account: Mapping[str, Any], suppressed: list[str]
) -> list[list[str]]:
    """What the package's own `validate` says: what `judge` is held to. Class, level and text, sorted."""
    here = StandIn(account)
    config = _load(cluster, here.placed(configuration))["config"]
    asyncio.set_event_loop(asyncio.new_event_loop())
    said = config.validate({TypeMatchValidatorsSuppressor(set(suppressed))}, ValidatorContext())
    return sorted([each.validator_type, str(each.level), here.told(each.message)] for each in said)
