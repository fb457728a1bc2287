"""Checks of a HyperPod cluster with Slurm that read several keys."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from muster.config.description.cross_field import Fault, existing_lustre, system_mounts, tag_faults
from muster.finding import KeyPath

_DNS = re.compile(r"(fs|fc)i?-[0-9a-f]{8,}\..{4,253}")
"""`ClusterDnsName` in SageMaker's model."""
_SERVICE_NODES = ("controller", "login")


def _names(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Every instance group has another name. The default names are those of the keys."""
    taken: dict[Any, str] = {name: f"groups.{name}" for name in _block(raw, "groups")}
    for key in _SERVICE_NODES:
        block = raw.get(key)
        if key == "login" and not isinstance(block, Mapping):
            continue
        written = _block(raw, key).get("name")
        name = key if written is None else written
        if name in taken:
            got = f"the instance group of {key} has the name '{name}', which {taken[name]} also has"
            yield (key, "name"), got, f"write another name: {key}: {{name: ...}}"
        taken.setdefault(name, key)


def _continuous(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """What goes with continuous provisioning, and what does not (SageMaker API, ClusterOrchestratorSlurmConfig;
    guide, sagemaker-hyperpod-scaling-slurm)."""
    own = _block(raw, "hyperpod")
    continuous = own.get("provisioning") == "continuous"
    if isinstance(raw.get("accounting"), Mapping) and not continuous:
        yield (
            ("accounting",),
            "SageMaker accepts an accounting database only with continuous provisioning",
            "write hyperpod: {provisioning: continuous}, or remove accounting: the controller then has a database",
        )
    if continuous and "config-strategy" in own:
        yield (
            ("hyperpod", "config-strategy"),
            "SageMaker accepts no config-strategy with continuous provisioning, which always merges",
            "remove it",
        )


def _mounts(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Each file system has its mount point, and a DNS name that the API accepts."""
    if isinstance(raw.get("home"), Mapping) and "home" in _block(raw, "storage"):
        yield (
            ("storage", "home"),
            "the file system of 'home' is already mounted at /home",
            "give this one another name, as in fsx",
        )
    named: list[tuple[KeyPath, Any]] = [(("home",), raw.get("home"))]
    named += [
        (("storage", name, "existing-lustre"), block.get("existing-lustre"))
        for name, block in _block(raw, "storage").items()
        if isinstance(block, Mapping)
    ]
    for at, block in named:
        dns = block.get("dns-name") if isinstance(block, Mapping) else None
        if isinstance(dns, str) and not _DNS.fullmatch(dns):
            yield (
                (*at, "dns-name"),
                f"'{dns}' is not a DNS name that SageMaker accepts: it begins with the id of the file system",
                "remove it: Muster derives the name from id and the Region",
            )


def _block(raw: Mapping[Any, Any], key: str) -> Mapping[Any, Any]:
    block = raw.get(key)
    return block if isinstance(block, Mapping) else {}


CHECKS = (_names, _continuous, _mounts, system_mounts, tag_faults, existing_lustre)
