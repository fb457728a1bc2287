"""Why Slurm rejects a script, and why a job that it accepted is pending."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from muster.kubernetes_quantity import MIB
from muster.message_text import did_you_mean
from muster.rehearsal.outcome import Cause, Sum
from muster.rehearsal.slurm import batch_script
from muster.rehearsal.slurm.batch_script import RequestedAmount, Script
from muster.rehearsal.slurm.configuration import Configuration, NodeLine, Partition
from muster.whole_number import whole_number


@dataclass(frozen=True, slots=True)
class Shortage:
    """A request that is larger than what a queue or its nodes have."""

    id: str
    message: str
    instead: dict[str, str]
    """Options that fit the queue; empty if no number would fit."""
    where: str
    growth: str = ""
    """The change of the cluster that would satisfy the request."""
    otherwise: str = "submit the job to a queue whose nodes have them"
    """The remedy if no option helps."""
    sum: Sum | None = None


def shortages(script: Script, partition: Partition, configuration: Configuration) -> tuple[Shortage, ...]:
    """The shortages, as far as the script's options state its requests explicitly."""
    found = (
        _too_many_nodes(script, partition),
        _too_many_gpus(script, partition),
        _too_many_in_all(script, partition),
        _too_much_memory(script, partition, configuration),
        _too_many_cpus(script, partition),
    )
    return tuple(each for each in found if each)


def _too_many_nodes(script: Script, partition: Partition) -> Shortage | None:
    requested = batch_script.requested_nodes(script.asks)
    if requested is None or requested.number <= partition.nodes:
        return None
    have = f"{partition.nodes} node{'' if partition.nodes == 1 else 's'}"
    largest = max(partition.lines, key=lambda line: line.number)
    ranges = any(not line.static for line in partition.lines if line.group == largest.group)
    where = f"{largest.path}.nodes{'.max' if ranges else ''}"
    return Shortage(
        "more-nodes-than-the-queue",
        f"the job requests {requested.number} nodes{script.at('nodes')}, but queue {partition.name} has at most {have}",
        {"nodes": str(partition.nodes)},
        where,
        f"raise {where} by {requested.number - partition.nodes}",
    )


def _too_many_gpus(script: Script, partition: Partition) -> Shortage | None:
    requested = batch_script.requested_gpus(script.asks)
    if requested is None:
        return None
    typed = [line for line in partition.lines if line.gpus and requested.type in ("", line.gpus.type)]
    most = max((line.gpus.number for line in typed if line.gpus), default=0)
    if requested.number <= most:
        return None
    at, where = script.at(requested.option), f"{partition.lines[0].path}.instance"
    kinds = sorted({line.gpus.type for line in partition.lines if line.gpus})
    if not typed and kinds:
        there = ", ".join(filter(None, kinds)) or "GPUs without a type"
        message = f"the job requests GPUs of type '{requested.type}'{at}, but queue {partition.name} has {there}"
        near = did_you_mean(requested.type, kinds)
        count = max(line.gpus.number for line in partition.lines if line.gpus)
        instead = {requested.option: _gpus_written(requested, kinds[0], min(requested.number, count))}
        return Shortage("no-such-gpus", f"{message}{near}", instead, where)
    types = " and ".join(sorted({line.instance for line in partition.lines}))
    if not most:
        message = f"the job requests {requested.number} GPUs{at}, but queue {partition.name} ({types}) has none"
        return Shortage("no-gpus", message, {}, where)
    written = _gpus_written(requested, requested.type, most)
    return Shortage(
        "more-gpus-than-a-node-has",
        f"the job requests {requested.number} GPUs per node{at}, but {types} of queue {partition.name} has {most}",
        {requested.option: written} if requested.option != "gpus-per-task" else {},
        where,
        sum=_sum(
            ":".join(filter(None, ("gres/gpu", kinds[0]))),
            requested.number,
            [line.gpus.number if line.gpus else 0 for line in _each(partition)],
        ),
        otherwise="request fewer GPUs with --gpus-per-task, or fewer tasks with --ntasks-per-node",
    )


def _too_many_in_all(script: Script, partition: Partition) -> Shortage | None:
    """A shortage of GPUs or tasks that are not requested by node."""
    whole = batch_script.requested_gpus_in_total(script.asks)
    most = sum(line.gpus.number for line in _each(partition) if line.gpus)
    if whole and most and whole.number > most:
        message = f"the job requests {whole.number} GPUs in total{script.at(whole.option)}"
        return Shortage(
            "more-gpus-than-the-queue",
            f"{message}, but all nodes of queue {partition.name} together have {most}",
            {whole.option: _gpus_written(whole, whole.type, most)},
            f"{partition.lines[0].path}.nodes",
        )
    tasks = batch_script.requested_cpus_in_total(script.asks)
    cpus = sum(line.cpus for line in _each(partition))
    if tasks and tasks.number > cpus:
        return Shortage(
            "more-cpus-than-the-queue",
            f"the job's tasks request {tasks.number} CPUs in total{script.at('ntasks')}, but all nodes of queue "
            f"{partition.name} together have {cpus}",
            {},
            f"{partition.lines[0].path}.nodes",
            otherwise="request fewer tasks with --ntasks, or fewer CPUs per task with --cpus-per-task",
        )
    return None


def _too_much_memory(script: Script, partition: Partition, configuration: Configuration) -> Shortage | None:
    requested = batch_script.requested_memory(script.asks)
    most = max(line.memory_mib for line in partition.lines)
    if requested is None or requested.number <= most:
        return None
    return Shortage(
        "more-memory-than-a-node-has",
        f"the job requests {requested.number} MiB of memory per node{script.at(requested.option)}, but the nodes of "
        f"queue {partition.name} have {most} MiB for jobs ({configuration.service.memory})",
        {requested.option: f"{most}M"} if requested.option == "mem" and configuration.service.memory_known else {},
        partition.lines[0].path,
        "" if configuration.memory_counts or requested.option != "mem" else configuration.service.memory_off,
        sum=_sum("memory", requested.number * MIB, [line.memory_mib * MIB for line in _each(partition)]),
    )


def _too_many_cpus(script: Script, partition: Partition) -> Shortage | None:
    requested = batch_script.requested_cpus(script.asks)
    most = max(line.cpus for line in partition.lines)
    if requested is None or requested.number <= most:
        return None
    tasks = (whole_number(script.asks.get("ntasks-per-node"), 0) or 1) if requested.option == "cpus-per-task" else 1
    return Shortage(
        "more-cpus-than-a-node-has",
        f"the job requests {requested.number} CPUs per node{script.at(requested.option)}, but the nodes of queue "
        f"{partition.name} have {most}",
        {requested.option: str(most // tasks)} if most >= tasks else {},
        partition.lines[0].path,
        sum=_sum("cpu", requested.number * 1000, [line.cpus * 1000 for line in _each(partition)]),
    )


def _gpus_written(requested: RequestedAmount, kind: str, number: int) -> str:
    """A number of GPUs in the format of the option: ``8``, ``a100:8``, ``gpu:a100:8``."""
    parts = (
        *(("gpu",) if requested.option == "gres" else ()),
        *((kind,) if requested.type and kind else ()),
        str(number),
    )
    return ":".join(parts)


def _each(partition: Partition) -> Iterator[NodeLine]:
    """Every node's line."""
    return (line for line in partition.lines for _ in range(line.number))


def _sum(resource: str, requested: int, offered: Sequence[int]) -> Sum:
    return Sum(resource, requested, len(offered), max(offered), sum(offered), 0, max(offered))


_OPTION = re.compile(r"(?:unrecognized|invalid) option (?:--\s*)?'-*([\w-]+)", re.IGNORECASE)
_VALUE = re.compile(r"Invalid (--[\w-]+) specification|Invalid (?:numeric )?value \"?(.{0,255}?)\"? for (--?[\w-]+)")

_FORMS = {
    "time": ": minutes, hours:minutes:seconds, or days-hours:minutes:seconds",
    "mem": ": a number and K, M, G or T",
    "nodes": ": a number, or a minimum and a maximum, such as 2-4",
}

_FREE = frozenset(
    {"account", "chdir", "comment", "error", "export", "input", "job-name", "mail-user", "output", "qos", "wckey"}
)
"""Options that accept any text in a rehearsal, including ``$``."""


@dataclass(frozen=True, slots=True)
class RefusalDiagnosis:
    """Finds the cause of a rejection, from the script and the cluster."""

    script: Script
    configuration: Configuration
    slurm: str
    """The version of the installed Slurm."""
    takes: Callable[[dict[str, str]], bool]
    """Whether Slurm accepts the script with these options instead of those in the file."""

    @property
    def partition(self) -> Partition | None:
        """The job's queue; None if no queue has that name, or if the script sets several."""
        wanted = self.script.asks.get("partition", self.configuration.partitions[0].name)
        return next((each for each in self.configuration.partitions if each.name == wanted), None)

    def refusal(self, message: str) -> Cause:
        """Why Slurm rejects the script, from Slurm's message."""
        for each in (self._variable, self._option, self._partition, self._time, self._names):
            if found := each(message):
                return found
        if self.partition and (short := shortages(self.script, self.partition, self.configuration)):
            return self._short(short)
        return Cause("slurm-refuses", "Slurm rejects the script", "fix the script according to Slurm's message")

    def _variable(self, _: str) -> Cause | None:
        """An option whose value is a variable: sbatch expands no variables in its option lines.

        It rejects such a line even if its command line also has the option (seen with 22.05.8).
        """
        for name, value in self.script.asks.items():
            if name not in _FREE and "$" in value:
                at = self.script.line(name)
                line = self.script.lines[at - 1].strip()
                return Cause(
                    "variable-in-option",
                    f"{self.script.place(at)}: `{line}`: sbatch does not expand variables in #SBATCH lines",
                    f"put the value into the line, or remove the line and give --{name} on sbatch's command line",
                )
        return None

    def _option(self, message: str) -> Cause | None:
        """The cause for an option that sbatch does not have, or a value that it cannot read."""
        if found := _OPTION.search(message):
            name = found[1]
            theirs, near = self.configuration.service.slurm, did_you_mean(name, sorted(batch_script.OPTIONS))
            newer = (
                f"; the cluster has Slurm {theirs}, but this machine has {self.slurm}: if only the cluster's version "
                "has the option, leave it out of the rehearsal"
            )
            return Cause(
                "unknown-option",
                f"sbatch has no option '--{name}'{self.script.at(name)}{near}",
                f"use the spelling of sbatch's manual{newer}",
            )
        if found := _VALUE.search(message):
            option = (found[1] or found[3]).lstrip("-")
            value = self.script.asks.get(option, found[2] or "")
            return Cause(
                "wrong-value",
                f"'{value}' is not a valid value of --{option}{self.script.at(option)}",
                f"set --{option} as in sbatch's manual{_FORMS.get(option, '')}",
            )
        return None

    def _partition(self, message: str) -> Cause | None:
        if "nvalid partition" not in message:
            return None
        wanted, there = self.script.asks.get("partition", ""), [each.name for each in self.configuration.partitions]
        return Cause(
            "no-such-queue",
            f"the cluster has no queue '{wanted}'{self.script.at('partition')}{did_you_mean(wanted, there)}",
            f"set --partition to one of {', '.join(there)}, or leave it out to use {there[0]}",
            "queues",
        )

    def _time(self, words: str) -> Cause | None:
        if "time limit" not in words.lower():
            return None
        wanted = self.script.asks.get("time", "")
        here = self.script.at("time")
        message = f"--time={wanted}{here} is" if wanted else "the job has no --time, so its time limit is"
        return Cause(
            "time-limit",
            f"{message} longer than the queue allows",
            f"set a shorter --time; {self.configuration.service.time_limit}",
            "slurm.settings",
        )

    def _names(self, message: str) -> Cause | None:
        """Features, nodes, generic resources or reservations that do not exist."""
        lines, script = self._lines(), self.script
        if "feature" in message:
            there = list(dict.fromkeys(feature for line in lines for feature in line.features))
            wanted = script.asks.get("constraint", "")
            return Cause(
                "no-such-feature",
                f"no node has the feature '{wanted}'{script.at('constraint')}{did_you_mean(wanted, there)}",
                f"set --constraint to features of the nodes: {', '.join(there)}"
                if there
                else f"remove --constraint: {self.configuration.service.title} gives its nodes no features. A job "
                "selects nodes by its queue (--partition)",
            )
        if "node name" in message:
            return Cause(
                "no-such-node",
                f"the queue has no node '{script.asks.get('nodelist', '')}'{script.at('nodelist')}",
                f"leave out --nodelist, or use nodes of {', '.join(line.expression for line in lines)}",
            )
        if "GRES specification" in message or "(gres)" in message:
            wanted = ", ".join(name for name in batch_script.requested_gres(script.asks) if name != "gpu")
            if not wanted:
                return self._gpus_twice(message)
            return Cause(
                "no-such-gres",
                f"Slurm has no generic resource '{wanted}' on the cluster{script.at('gres')}: "
                f"{self.configuration.service.devices}",
                "remove it from --gres; a job with exclusive nodes can use all of their devices",
            )
        if "eservation is invalid" in message:
            wanted = script.asks.get("reservation", "")
            return Cause(
                "no-such-reservation",
                f"Slurm has no reservation '{wanted}'{script.at('reservation')}; Slurm does not know EC2's "
                "reservations",
                "leave out --reservation; the groups of the queue use EC2's reservations",
            )
        return None

    def _gpus_twice(self, message: str) -> Cause | None:
        """GPUs of a type in one option, and of any type in another."""
        script = self.script
        asking = [each for each in ("gpus", "gpus-per-node", "gpus-per-task", "gres") if script.line(each)]
        if "with and without type" not in message or not asking:
            return None
        options = " and ".join(f"--{each}={script.asks[each]}{script.at(each)}" for each in asking)
        one = (
            f"use only --{asking[0]}={script.asks[asking[0]]}"
            if len(asking) > 1
            else "set the type everywhere, or nowhere"
        )
        return Cause(
            "gpus-with-and-without-type", (f"the options request GPUs both with and without a type: {options}"), one
        )

    def _short(self, short: Sequence[Shortage]) -> Cause:
        """The cause for requests that exceed the queue."""
        first, *others = short
        also = "".join(f"; {each.message}" for each in others)
        instead = {option: value for each in short for option, value in each.instead.items()}
        accepted = bool(instead) and self.takes(instead)
        options = " ".join(f"--{option}={value}" for option, value in instead.items())
        if accepted:
            remedy = f"set {options} (Slurm accepts the job with these options)"
        elif instead:
            remedy = f"set {options}, then check Slurm's next message"
        else:
            remedy = first.otherwise
        more = f", or {first.growth}" if first.growth else ""
        sums = tuple(each.sum for each in short if each.sum)
        return Cause(first.id, f"{first.message}{also}", f"{remedy}{more}", first.where, sums)

    def _lines(self) -> Sequence[NodeLine]:
        return self.partition.lines if self.partition else self.configuration.lines


_KNOWN_REASONS: Mapping[str, tuple[str, str, str]] = {
    "Resources": (
        "queue-full",
        "other jobs use the nodes that the job needs",
        "wait until they end, or cancel one (`squeue`, `scancel`), {growth}",
    ),
    "Nodes_required_for_job_are_DOWN": (
        "nodes-down",
        "too few nodes of the queue are up for the job",
        "wait until {replaces} replaces them, which needs capacity",
    ),
    "ReqNodeNotAvail": (
        "nodes-down",
        "nodes of the job's --nodelist are not up",
        "wait until {replaces} replaces them, which needs capacity, or leave out --nodelist",
    ),
    "DependencyNeverSatisfied": (
        "waits-for-other-jobs",
        "the job waits forever for jobs of its --dependency that Slurm does not have",
        "leave out --dependency, or set it to an existing job",
    ),
    "Dependency": (
        "waits-for-other-jobs",
        "the job waits for other jobs (--dependency), which the rehearsal does not run",
        "leave out --dependency for the rehearsal",
    ),
    "JobHeldUser": (
        "held",
        "the job is held (--hold) until you release it",
        "leave out --hold, or run `scontrol release`",
    ),
    "BeginTime": ("begins-later", "the job begins only at a later time", "leave out --begin for the rehearsal"),
}
"""The start of Slurm's reason for a waiting job -> the id of the cause, its meaning, and the remedy."""


def pending_cause(reason: str, configuration: Configuration, queue: str) -> Cause:
    """Why a job that Slurm has accepted does not run."""
    known = next((each for start, each in _KNOWN_REASONS.items() if reason.startswith(start)), None)
    if known is None:
        return Cause(
            "slurm-waits", (f"the job waits for Slurm's reason {reason}"), "look up this reason in squeue's manual"
        )
    partition = next((each for each in configuration.partitions if each.name == queue), configuration.partitions[0])
    where = f"{partition.lines[0].path}.nodes"
    cause, message, remedy = known
    what = remedy.format(growth=f"or raise {where}", replaces=configuration.service.replaces)
    return Cause(cause, message, what, where if cause == "queue-full" else "")
