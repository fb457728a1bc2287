"""Threads per core of HyperPod's instances."""

import re
from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, machines, types_of
from policies.rule import Rule, Verdict, rule

_GRAVITON = re.compile(r"ml\.[a-z]+\d+g[a-z]*\.")
"""EC2's names: `g` behind the generation is AWS's own processor, which has one thread per core."""


@rule(
    "hyperpod-threads-per-core",
    title="A HyperPod group asks for one thread per core, or for two where the type has them",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The API takes 1 and 2, and 1 alone for types without multithreading (Graviton, Grace): with 2 their instances "
    "never start.",
    source="SageMaker API, ClusterThreadsPerCore; EC2 API, DescribeInstanceTypes (VCpuInfo); EC2 user guide, instance "
    "type naming conventions",
    remedy="Take one thread per core.",
    facts=("rules.md#58", "hardware.md#R19"),
)
def hyperpod_threads_per_core(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    threads, at = group.threads_per_core, "hyperpod.threads-per-core"
    if threads is UNKNOWN:
        yield rule.unjudged(group.place, f"the threads per core of {called(group)}, not known before creation")
    elif threads not in (None, 1, 2):
        got = f"{called(group)} asks for {threads} threads per core; the API takes 1 and 2"
        yield rule.finding(group.place, at=at, got=got, remedy="write 1 or 2")
    elif threads not in (None, 1):
        known, missing = machines(group)
        single = [f"ml.{machine.instance}" for machine in known if machine.threads_per_core < threads]
        single += [each for each in types_of(group) if _GRAVITON.match(each)]
        if single:
            got = f"{called(group)} asks for 2 threads per core; {single[0]} has 1"
            yield rule.finding(group.place, at=at, got=got, remedy="write 1")
        elif missing:
            yield rule.unjudged(group.place, missing)
