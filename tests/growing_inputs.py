"""Inputs of any size for `muster check` and the policy pack: an example of each format, in which parts are repeated
under new names.

`tests/test_growth.py` counts what Muster does for them, and `python -m tools.bench --scale` times large ones.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from muster import yaml_text
from muster.cli.main import main
from muster.sources.recognition import open_file, recognize
from tests.policies.engine_protocol import diagnostics_of
from tests.sources.terraform import clusters, plans

ROOT = Path(__file__).resolve().parent.parent
AS_OF = "2026-12-01"


@dataclass(frozen=True, slots=True)
class Growing:
    """An input that grows by parts."""

    example: str
    """Path of the example."""
    parts: Mapping[str, str]
    """Path of what is repeated (an entry, or ``*`` for all of a list) -> the pattern of the names that each copy
    changes."""
    file: str = "stacks/Pulumi.grown.yaml"
    """With ``{}`` in it: so many files, each with a number there."""
    command: tuple[str, ...] = ("check", "grown", "--as-of", AS_OF)
    changes: tuple[tuple[str, str], ...] = ()
    """Texts of the example, and what they are replaced by, so that each part has findings."""
    long: str = ""
    """A name in the example that gets this number of steps instead of parts."""
    made: Callable[[int], Any] | None = None
    """Makes the document of a number of parts instead of the example."""
    run: Callable[[Sequence[str]], int] = main
    """Runs the command."""

    def write(self, folder: Path, count: int) -> tuple[str, ...]:
        """Writes a project with this number of parts, and returns the command that reads it."""
        text = (ROOT / self.example).read_text(encoding="utf-8")
        for old, new in self.changes:
            assert re.search(old, text), f"{self.example} has no {old}"
            text = re.sub(old, new, text)
        text = text.replace(self.long, self.long + "::a" * count) if self.long else text
        documents = list(yaml_text.load_all(text, template=True)) if self.example.endswith("yaml") else _json(text)
        documents = [self.made(count)] if self.made else documents
        for path, names in self.parts.items():
            documents = _repeated(documents, path.split("/"), re.compile(names), count)
        (folder / "stacks").mkdir(exist_ok=True)
        (folder / "Pulumi.yaml").write_bytes((ROOT / "Pulumi.yaml").read_bytes())
        written = yaml.safe_dump_all(documents) if self.file.endswith("yaml") else "\n".join(map(json.dumps, documents))
        for number in range(count if "{}" in self.file else 1):
            (folder / self.file.format(number)).write_text(written, encoding="utf-8")
        return self.command


def _json(text: str) -> list[Any]:
    """The document, or those of each line."""
    return [json.loads(text)] if text.startswith("{\n") else list(map(json.loads, text.splitlines()))


def _repeated(value: Any, path: list[str], names: re.Pattern[str], count: int) -> Any:
    """The value with copies of the part at a path."""
    step, *rest = path
    here: Any = int(step) if isinstance(value, list) and step != "*" else step
    if rest:
        value[here] = _repeated(value[here], rest, names, count)
        return value
    part = value if step == "*" else [value.pop(here)] if isinstance(value, list) else {here: value.pop(here)}
    text, empty = json.dumps(part), value if step != "*" else type(value)()
    for number in range(count):
        copy = json.loads(names.sub(lambda found, number=number: f"{found[0]}{number}", text))
        empty = [*empty, *copy] if isinstance(empty, list) else {**empty, **copy}
    return empty


def _stack(name: str, parts: Mapping[str, str], *changes: tuple[str, str]) -> Growing:
    below = {f"0/config/muster:cluster/{path}": names for path, names in parts.items()}
    return Growing(f"stacks/Pulumi.{name}.yaml", below, changes=changes)


def _file(example: str, parts: Mapping[str, str], *changes: tuple[str, str]) -> Growing:
    file = "input.json" if example.endswith("json") else "input.yaml"
    command = ("check", file, "--as-of", AS_OF)
    return Growing(example, {f"0/{path}": names for path, names in parts.items()}, file, command, changes)


def _judge_by_pack(command: Sequence[str]) -> int:
    """Passes what a file registers to the policy pack, as the engine does."""
    file = open_file(Path(command[0]))
    diagnostics_of(recognize(file).read(file).registrations)
    return 0


_OTHERS = "examples/other-tools"
_GROUP = {"groups/workers": "workers|cr-fill-me-in"}
_OTHER_ZONE = ("zone: us-west-2a\n( +)count", r"zone: us-west-2b\n\1count")
_SUPPRESS = "suppress: [{rule: RULE, at: groups.workers, reason: for some time, until: '2027-01-01'}]"
_INTERFACES = "Resources/NodeTemplate/Properties/LaunchTemplateData/NetworkInterfaces"
_TERRAFORM = ("planned_values/root_module/resources", "resource_changes", "configuration/root_module/resources")
_SAVED = {
    f"Pulumi {name}": _file(
        f"tests/sources/pulumi/saved/{name}.json",
        {f"{path}/*": r"(?<=::)(workers|efa|training|efa-[a-z]*)\b|\b[a-z]+-[0-9a-f]{7,}"},
    )
    for name, path in {"state": "deployment/resources", "preview": "steps", "plan": "resourcePlans"}.items()
}

GROWING: Mapping[str, Growing] = {
    "groups on EKS": _stack("p5-odcr", _GROUP, _OTHER_ZONE),
    "groups on one reservation": _stack("p5-odcr", {"groups/workers": "workers"}, _OTHER_ZONE),
    "groups of Karpenter": _stack("p5-karpenter", _GROUP),
    "stacks on one reservation": replace(
        _stack("p5-odcr", {}, ("cr-fill-me-in", "cr-0123456789abcdef0")),
        file="stacks/Pulumi.grown{}.yaml",
        command=("check", "--all", "--as-of", AS_OF),
    ),
    "suppressions": _stack(
        "p5-odcr",
        {**_GROUP, "suppress/0": "workers"},
        _OTHER_ZONE,
        ("    groups:", f"    {_SUPPRESS.replace('RULE', 'reservation-zone-matches-subnet')}\n    groups:"),
    ),
    "suppressions of nothing": _stack(
        "p5-odcr",
        {**_GROUP, "suppress/0": "workers"},
        _OTHER_ZONE,
        ("    groups:", f"    {_SUPPRESS.replace('RULE', 'imds-out-of-pods')}\n    groups:"),
    ),
    "misspelt keys": _stack("p5-odcr", {"groups/workers/local": "local"}, ("local-storage", "local")),
    "groups on HyperPod": _stack("hyperpod-p5", {"groups/workers": "workers"}, ("10.0.0.0/16", "10.0.0.0/22")),
    "file systems": _stack("hyperpod-p5", {"storage/scratch": "scratch|datasets"}),
    "teams": _stack("hyperpod-teams", {"hyperpod/task-governance/teams/research": "research"}),
    "partitions on HyperPod": _stack("hyperpod-slurm-p5", {"groups/workers": "workers|(?<!: )training(?!-)"}),
    "queues on ParallelCluster": _stack(
        "pcluster-gpu",
        {"queues/compute-gpu": "compute-gpu|distributed-ml|cr-fill-me-in"},
        ("    slurm:", "    slurm:\n      default-queue: compute-gpu0"),
    ),
    "queues on PCS": _stack(
        "pcs-p5",
        {"queues/train": "train(?!ing)|p5-nodes|cr-fill-me-in"},
        ("queue: train", "queue: cpu"),
    ),
    "Terraform plan": _file(
        f"{_OTHERS}/terraform-plan.json", dict.fromkeys((f"{path}/*" for path in _TERRAFORM), r"\b(gpu|efa|private)\b")
    ),
    "modules of Terraform": replace(
        _file(f"{_OTHERS}/terraform-plan.json", {}),
        made=lambda count: plans.plan(*clusters.many(count), calls=clusters.CALLS),
    ),
    "CloudFormation": _file(
        f"{_OTHERS}/eks-training.template.yaml",
        {"Resources/*": r"\bVpc\b|NodeSubnet|Efa(SecurityGroup|FromItself)|NodeTemplate|NodeRole\b|Workers"},
    ),
    "groups on one interface": _file(
        f"{_OTHERS}/eks-training.template.yaml",
        {"Resources/EfaSecurityGroup": "EfaSecurityGroup", f"{_INTERFACES}/0/Groups/0": "EfaSecurityGroup"},
        (r" +- {NetworkCardIndex: [124].*\n", ""),
        ("roupId: !Ref EfaSecurityGroup", r"\g<0>0"),
    ),
    "a long name": replace(_file(f"{_OTHERS}/eks-training.template.yaml", {}), long="Workers"),
    "eksctl": _file(f"{_OTHERS}/eks-p5.yaml", {"managedNodeGroups/1": "workers|cr-0123456789abcdef|p5-placement"}),
    "Karpenter": replace(_file(f"{_OTHERS}/karpenter-p5.yaml", {}), parts={"*": r"gpu\b|cr-0123456789abcdef"}),
    "ParallelCluster": _file(
        f"{_OTHERS}/parallelcluster.yaml",
        {"Scheduling/SlurmQueues/0": r"\btrain\b|p5_workers|cr-0123456789abcdef", "SharedStorage/0": r"\bfsx\b"},
    ),
    "HyperPod request": _file(f"{_OTHERS}/hyperpod.json", {"InstanceGroups/1": "workers"}),
    **_SAVED,
    "the policy pack": replace(_SAVED["Pulumi state"], run=_judge_by_pack, command=("input.json",)),
    "events": Growing(
        "tests/cli/events/foreign.jsonl",
        {"*": r"(?<=::)[a-z-]+(?=\")"},
        "events.jsonl",
        ("report", "--events", "events.jsonl"),
    ),
}
