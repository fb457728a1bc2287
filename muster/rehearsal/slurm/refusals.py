"""Why Slurm refuses a script: its own words are few, and say the same of many causes.

"Requested node configuration is not available" is said of GPUs, memory and CPUs alike: what the script asks is counted
against the queue's nodes, and a remedy that Slurm takes is told as one it takes.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from muster.fleet.near_miss import did_you_mean
from muster.rehearsal.outcome import Cause
from muster.rehearsal.slurm import asks
from muster.rehearsal.slurm.configuration import Configuration
from muster.rehearsal.slurm.node_lines import NodeLine, Partition
from muster.rehearsal.slurm.script import Script
from muster.rehearsal.slurm.shortages import Shortage, shortages
from muster.versions import PARALLELCLUSTER_SLURM

_OPTION = re.compile(r"(?:unrecognized|invalid) option (?:--\s*)?'-*([\w-]+)", re.IGNORECASE)
_VALUE = re.compile(r"Invalid (--[\w-]+) specification|Invalid (?:numeric )?value \"?(.*?)\"? for (--?[\w-]+)")

_FORMS = {
    "time": ": minutes, hours:minutes:seconds, or days-hours:minutes:seconds",
    "mem": ": a number and K, M, G or T",
    "nodes": ": a number, or the least and the most as in 2-4",
}

_KNOWN = (
    *("account", "array", "begin", "chdir", "comment", "constraint", "cpu-freq", "cpus-per-gpu", "cpus-per-task"),
    *("dependency", "distribution", "error", "exclude", "exclusive", "export", "gpu-bind", "gpus", "gpus-per-node"),
    *("gpus-per-socket", "gpus-per-task", "gres", "hint", "hold", "input", "job-name", "kill-on-invalid-dep"),
    *("licenses", "mail-type", "mail-user", "mem", "mem-bind", "mem-per-cpu", "mem-per-gpu", "mincpus", "nice"),
    *("no-requeue", "nodelist", "nodes", "ntasks", "ntasks-per-core", "ntasks-per-gpu", "ntasks-per-node"),
    *("ntasks-per-socket", "open-mode", "output", "overcommit", "oversubscribe", "parsable", "partition", "qos"),
    *("requeue", "reservation", "signal", "switches", "threads-per-core", "time", "time-min", "tmp", "wait"),
)
"""Options of sbatch's manual, for near misses."""


_FREE = frozenset(
    {"account", "chdir", "comment", "error", "export", "input", "job-name", "mail-user", "output", "qos", "wckey"}
)
"""Options that take any text in a rehearsal, a ``$`` too."""


@dataclass(frozen=True, slots=True)
class Judge:
    """What is known of the script and of the cluster."""

    script: Script
    configuration: Configuration
    slurm: str
    """The version that judges."""
    takes: Callable[[dict[str, str]], bool]
    """Whether Slurm takes the script with these options instead of its own."""

    @property
    def partition(self) -> Partition | None:
        """The queue it goes to; None where there is none of that name, or it names several."""
        wanted = self.script.asks.get("partition", self.configuration.partitions[0].name)
        return next((each for each in self.configuration.partitions if each.name == wanted), None)

    def refusal(self, said: str) -> Cause:
        """Why Slurm does not take it, by its words."""
        for each in (self._variable, self._option, self._partition, self._time, self._names):
            if found := each(said):
                return found
        if self.partition and (short := shortages(self.script, self.partition, self.configuration)):
            return self._short(short)
        return Cause("slurm-refuses", "Slurm does not take the script", "mend it as Slurm's own words say")

    def _variable(self, _: str) -> Cause | None:
        """An option whose value is a variable: sbatch reads its lines as they stand.

        It refuses this one even where its command line has the option too (seen with 22.05.8).
        """
        for name, value in self.script.asks.items():
            if name not in _FREE and "$" in value:
                at = self.script.line(name)
                line = self.script.text.splitlines()[at - 1].strip()
                return Cause(
                    "variable-in-option",
                    f"{self.script.place(at)}: `{line}`: sbatch expands no variables in #SBATCH lines",
                    f"write the value there, or leave the line out and give --{name} on sbatch's command line",
                )
        return None

    def _option(self, said: str) -> Cause | None:
        """An option that sbatch does not know, or a value that it cannot read."""
        if found := _OPTION.search(said):
            name = found[1]
            newer = (
                f"; the Slurm here is {self.slurm}: leave it out here if {PARALLELCLUSTER_SLURM} has it, "
                "which is the cluster's"
            )
            return Cause(
                "unknown-option",
                f"sbatch knows no option '--{name}'{self.script.at(name)}{did_you_mean(name, _KNOWN)}",
                f"write it as in sbatch's manual{newer}",
            )
        if found := _VALUE.search(said):
            option = (found[1] or found[3]).lstrip("-")
            value = self.script.asks.get(option, found[2] or "")
            return Cause(
                "wrong-value",
                f"'{value}' is nothing that --{option} takes{self.script.at(option)}",
                f"write --{option} as in sbatch's manual{_FORMS.get(option, '')}",
            )
        return None

    def _partition(self, said: str) -> Cause | None:
        if "nvalid partition" not in said:
            return None
        wanted, there = self.script.asks.get("partition", ""), [each.name for each in self.configuration.partitions]
        return Cause(
            "no-such-queue",
            f"the cluster has no queue '{wanted}'{self.script.at('partition')}{did_you_mean(wanted, there)}",
            f"name one of {', '.join(there)} with --partition, or none: then it is {there[0]}",
            "queues",
        )

    def _time(self, words: str) -> Cause | None:
        if "time limit" not in words.lower():
            return None
        wanted = self.script.asks.get("time", "")
        here = self.script.at("time")
        said = f"--time={wanted}{here} is" if wanted else "without --time it has no end: that is"
        return Cause(
            "time-limit",
            f"{said} beyond what the queue allows",
            "ask for less with --time; ParallelCluster's queues have no limit unless slurm.settings say one",
            "slurm.settings",
        )

    def _names(self, said: str) -> Cause | None:
        """Features, nodes, generic resources, reservations that are not there."""
        lines, script = self._lines(), self.script
        if "feature" in said:
            there = list(dict.fromkeys(feature for line in lines for feature in line.features))
            wanted = script.asks.get("constraint", "")
            return Cause(
                "no-such-feature",
                f"no node has the feature '{wanted}'{script.at('constraint')}{did_you_mean(wanted, there)}",
                f"ask with --constraint for what nodes have: {', '.join(there)}",
            )
        if "node name" in said:
            return Cause(
                "no-such-node",
                f"the queue has no node '{script.asks.get('nodelist', '')}'{script.at('nodelist')}",
                f"leave --nodelist out, or take from {', '.join(line.expression for line in lines)}",
            )
        if "GRES specification" in said or "(gres)" in said:
            wanted = ", ".join(name for name in asks.gres_names(script.asks) if name != "gpu")
            if not wanted:
                return self._gpus_twice(said)
            return Cause(
                "no-such-gres",
                f"Slurm counts no '{wanted}' on the cluster{script.at('gres')}: of devices it knows "
                "NVIDIA's GPUs alone there, neither EFA interfaces nor Neuron devices",
                "leave it out of --gres; a node that a job has alone gives it all of its devices",
            )
        if "eservation is invalid" in said:
            wanted = script.asks.get("reservation", "")
            return Cause(
                "no-such-reservation",
                f"Slurm has no reservation '{wanted}'{script.at('reservation')}; EC2's are none of Slurm's",
                "leave --reservation out; the queue's groups have EC2's",
            )
        return None

    def _gpus_twice(self, said: str) -> Cause | None:
        """GPUs of a type in one option, and of any in another."""
        script = self.script
        asking = [each for each in ("gpus", "gpus-per-node", "gpus-per-task", "gres") if script.line(each)]
        if "with and without type" not in said or not asking:
            return None
        options = " and ".join(f"--{each}={script.asks[each]}{script.at(each)}" for each in asking)
        one = (
            f"write --{asking[0]}={script.asks[asking[0]]} alone"
            if len(asking) > 1
            else "name the type, or leave it out"
        )
        return Cause("gpus-with-and-without-type", f"GPUs are asked for with their type and without: {options}", one)

    def _short(self, short: Sequence[Shortage]) -> Cause:
        """More than the queue has."""
        first, *others = short
        also = "".join(f"; {each.said}" for each in others)
        instead = {option: value for each in short for option, value in each.instead.items()}
        mended = bool(instead) and self.takes(instead)
        options = " ".join(f"--{option}={value}" for option, value in instead.items())
        if mended:
            remedy = f"write {options} (so Slurm takes it)"
        elif instead:
            remedy = f"write {options}, and see what Slurm says then"
        else:
            remedy = first.otherwise
        more = f", or {first.growth}" if first.growth else ""
        sums = tuple(each.sum for each in short if each.sum)
        return Cause(first.id, f"{first.said}{also}", f"{remedy}{more}", first.where, sums)

    def _lines(self) -> Sequence[NodeLine]:
        return self.partition.lines if self.partition else self.configuration.lines
