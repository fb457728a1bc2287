"""How a job starts its processes: on how many pods, and how many in each, compared with the pods and their devices."""

import re
from collections import Counter
from collections.abc import Iterator

from muster.blueprint.gpu_sharing import GPU
from muster.fleet.resources import Fleet, PodOwner, PodTemplate
from muster.message_text import count_noun
from muster.object_cache import cached_by_identity
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.pods import (
    ACCELERATORS,
    ACROSS_NODES,
    LAUNCHER,
    NodeCount,
    command_of,
    nodes_for,
    of_each_template,
    only_launches,
    requests_of,
    torchrun_nodes,
    value_of,
)
from muster.whole_number import whole_number

_PROCESSES = "PET_NPROC_PER_NODE"
"""torchrun reads this environment variable in place of its option."""
_OF_PROCESSES = re.compile(r"--nproc[_-]per[_-]node[= ]+(\d{1,6})(?=\s|$)")
_MPIRUN = re.compile(r"\bmpi(?:run|exec)\b")
_STARTED = re.compile(r"\s--?np\s+(\d{1,6})(?=\s|$)")
"""Its processes."""
_OTHER_SLOTS = ("host", "map-by", "npernode", "oversubscribe")
"""In options of mpirun that change which slots there are."""
_THREADS = "OMP_NUM_THREADS"
_ONE_GROUP = frozenset({"HyperPodPyTorchJob", "LeaderWorkerSet", "PyTorchJob", "TrainJob"})
"""Kinds whose pods all train together. The pods of others may be several trainings."""
_AUTO = frozenset({"PyTorchJob", "TrainJob"})
"""Kinds whose operator sets `PET_NPROC_PER_NODE` to ``auto``: torchrun starts a process for each GPU."""
_WORKER = ".Worker."


def job_starts_on_its_pods(owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _nodes(owner, fleet, rule)
    yield from _processes(owner, fleet, rule)
    yield from _threads(owner, fleet, rule)
    yield from _mpi(owner, fleet, rule)


@of_each_template
def _nodes(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The nodes that torchrun waits for. An elastic job counts all its pods, and other jobs those with its command."""
    whole = owner.kind in ACROSS_NODES
    if nodes := torchrun_nodes(template):
        pods = _waiting(owner).total() if whole else _waiting_together(fleet)[nodes]
    elif owner.nodes_least is not None and owner.nodes_most is not None and template is owner.templates[-1]:
        nodes = NodeCount(owner.nodes_least, owner.nodes_most)
        pods = sum(each.pods for each in owner.templates)
    else:
        return
    if nodes.least > nodes.most:
        got = f"the job of {template.path} needs at least {nodes.least} nodes, and at most {nodes.most}"
        yield rule.finding(owner, got=got, change=f"set the minimum to at most {nodes.most}")
    elif nodes.least > pods and not owner.grows:
        got = f"torchrun waits for {nodes.least} nodes, but the job has {count_noun(pods, 'pod')} with {template.path}"
        change = (f"let torchrun wait for {pods}", f"run {nodes.least} pods")
        yield (rule if whole else rule.advice).finding(owner, got=got, change=change)
    elif nodes.most < pods and owner.kind in _ONE_GROUP:
        accepted = count_noun(nodes.most, "node")
        got = f"torchrun accepts at most {accepted}, but the job has {pods} pods with {template.path}"
        change = (f"let it accept {pods}", f"run {count_noun(nodes.most, 'pod')}")
        yield rule.advice.finding(owner, got=got, change=change)


def _waiting(owner: PodOwner) -> Counter[NodeCount]:
    """The pods that run torchrun, by the nodes that it waits for."""
    found = Counter[NodeCount]()
    for each in owner.templates:
        if nodes := torchrun_nodes(each):
            found[nodes] += each.pods
    return found


@cached_by_identity(1)
def _waiting_together(fleet: Fleet) -> Counter[NodeCount]:
    """Those of Kubernetes' own kinds, which may train together: a Pod for each rank, a Job for the first rank and a Job
    for the others."""
    plain = (each for each in fleet.of(PodOwner) if each.kind not in ACROSS_NODES)
    return sum(map(_waiting, plain), start=Counter[NodeCount]())


@of_each_template
def _processes(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The processes in a pod with GPUs."""
    gpus, processes = requests_of(template).get(GPU, 0), _processes_of(template, owner)
    if not gpus or not processes or processes == gpus:
        return
    started = count_noun(processes, "process", "processes")
    got = f"the job starts {started} in each pod of {template.path}, which requests {gpus} {GPU}"
    change = (f"start {count_noun(gpus, 'process', 'processes')}", f"request {processes} {GPU}")
    # More processes than GPUs share them, which NCCL refuses.
    yield (rule if processes > gpus else rule.advice).finding(owner, got=got, change=change)


def _processes_of(template: PodTemplate, owner: PodOwner) -> int | None:
    """How many processes start in a pod; None if that is not set. torchrun's option is before its variable, and that
    before what the job sets."""
    found = _OF_PROCESSES.search(command_of(template))
    number = whole_number(found[1] if found else value_of(template, _PROCESSES))
    # MPI's slots are a limit, not a number of processes.
    return owner.processes if number is None and owner.kind != "MPIJob" else number


@of_each_template
def _threads(template: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The threads of all processes in a pod."""
    threads = whole_number(value_of(template, _THREADS))
    processes = _processes_of(template, owner)
    if processes is None and owner.kind in _AUTO and "torchrun" in command_of(template):
        processes = requests_of(template).get(GPU)
    if not threads or not processes:
        return
    most = max((each.machine.vcpus for each in nodes_for(template, fleet)), default=None)
    if most and threads * processes > most:
        got = f"{processes} processes with {_THREADS}={threads} are {threads * processes} threads on {most} vCPUs"
        yield rule.advice.finding(owner, got=got, change=f"set {_THREADS} to at most {max(most // processes, 1)}")


@of_each_template
def _mpi(launcher: PodTemplate, owner: PodOwner, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """The launcher of an MPIJob, and the processes that it starts."""
    workers = next((each for each in owner.templates if _WORKER in each.path), None)
    if owner.kind != "MPIJob" or LAUNCHER not in launcher.path or workers is None:
        return
    devices = {each: amount for each, amount in requests_of(launcher).items() if each in ACCELERATORS}
    if devices and only_launches(launcher, owner):
        amounts = " and ".join(f"{amount} {each}" for each, amount in devices.items())
        got = f"{launcher.path} requests {amounts}, but the launcher only runs mpirun"
        change = ("remove the request", "set runLauncherAsWorker: true")
        yield rule.advice.finding(owner, got=got, change=change)
    mpirun = _MPIRUN.search(command := command_of(launcher))
    found = _STARTED.search(command, mpirun.end()) if mpirun else None
    started = whole_number(found[1]) if found else None
    if started is None or not owner.processes or any(each in command.lower() for each in _OTHER_SLOTS):
        return
    slots = owner.processes * (workers.pods + (1 if owner.launcher_works else 0))
    if started > slots:
        got = f"mpirun starts {started} processes, but the workers have {slots} slots"
        change = (f"start {slots}", "raise slotsPerWorker or the number of workers")
        yield rule.finding(owner, got=got, change=change)
