"""Threads per core of HyperPod's instances."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called, machines
from policies.rule import Rule, Verdict, rule


@rule(
    "hyperpod-threads-per-core",
    title="A HyperPod group asks for one thread per core, or for two where the type has them",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The API takes 1 and 2, and 1 alone for types without multithreading (Graviton, hpc7a): with 2 their instances "
    "never start.",
    source="SageMaker API, ClusterThreadsPerCore; EC2 API, DescribeInstanceTypes (VCpuInfo)",
    remedy="Take 1.",
    facts=("rules.md#58", "hardware.md#R19"),
)
def hyperpod_threads_per_core(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    threads, (known, missing) = group.threads_per_core, machines(group)
    if threads is None or threads == 1:
        return
    if threads is UNKNOWN:
        yield rule.unjudged(group.place, f"the threads per core of {called(group)}, not known before creation")
    elif threads != 2:  # noqa: PLR2004 - the only other number that the API takes
        got = f"{called(group)} asks for {threads} threads per core; the API takes 1 and 2"
        yield rule.finding(group.place, at="hyperpod.threads-per-core", got=got, remedy="write 1 or 2")
    else:
        single = [machine.instance for machine in known if machine.threads_per_core < threads]
        if single:
            got = f"{called(group)} asks for 2 threads per core; ml.{single[0]} has 1"
            yield rule.finding(group.place, at="hyperpod.threads-per-core", got=got, remedy="write 1")
        if missing:
            yield rule.unjudged(group.place, missing)
