"""Inputs of any size: an example, in which parts are repeated under new names."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from muster import yaml_text

ROOT = Path(__file__).resolve().parent.parent
AS_OF = "2026-12-01"
STACK = "stacks/Pulumi.grown.yaml"
_CLUSTER = "config.muster:cluster."
_STATES = ROOT / "tests" / "foreign" / "saved"


@dataclass(frozen=True, slots=True)
class Growing:
    """An input that grows by parts."""

    example: str
    parts: Mapping[str, str]
    """Path of a mapping's entry, or of a list -> the regular expression of the names that each copy changes."""
    command: tuple[str, ...]
    file: str = STACK
    changes: tuple[tuple[str, str], ...] = ()
    """What is replaced in the example, so that each part has findings."""

    def write(self, folder: Path, count: int) -> None:
        """Writes a project with the input of this number of parts."""
        (folder / "stacks").mkdir(exist_ok=True)
        (folder / "Pulumi.yaml").write_bytes((ROOT / "Pulumi.yaml").read_bytes())
        text = (ROOT / self.example).read_text(encoding="utf-8")
        for old, new in self.changes:
            assert old in text, f"{self.example}: {old}"
            text = text.replace(old, new)
        if "golden" in self.example:  # the golden file has no ids
            text = re.sub(r'"urn": "(.*)"', r'"urn": "\1", "id": "id of \1"', text)
        lines = self.example.endswith("l") and self.file.endswith("jsonl")
        documents = list(map(json.loads, text.splitlines())) if lines else _documents(self.example, text)
        for path, names in self.parts.items():
            documents = _repeated(documents, path.split("/"), re.compile(names), count)
        write = json.dumps if self.file.endswith(("json", "jsonl")) else yaml.safe_dump
        between = "\n" if lines else "---\n"
        (folder / self.file).write_text(between.join(map(write, documents)), encoding="utf-8")


def _documents(name: str, text: str) -> list[Any]:
    if name.endswith(".json"):
        return [json.loads(text)]
    return list(yaml_text.load_all(text, template=".template" in name)) if "stacks/" not in name else list(yaml.safe_load_all(text))


def _repeated(value: Any, path: list[str], names: re.Pattern[str], count: int) -> Any:
    """The value, with `count` copies of the part at the path: an entry of a mapping, or a list's items (`*`)."""
    step, *rest = path
    if rest and step == "+":
        return [_repeated(each, rest, names, count) for each in value]
    if rest:
        key: Any = int(step) if isinstance(value, list) else step
        value[key] = _repeated(value[key], rest, names, count)
        return value
    if step == "*":
        part = value
        copies = [_renamed(part, names, number) for number in range(count)]
        return [each for copy in copies for each in copy] if isinstance(value, list) else {key: each for copy in copies for key, each in copy.items()}
    if isinstance(value, list):
        part = value.pop(int(step))
        return [*value, *(_renamed(part, names, number) for number in range(count))]
    part = {step: value.pop(step)}
    for number in range(count):
        value |= _renamed(part, names, number)
    return value


def _renamed(part: Any, names: re.Pattern[str], number: int) -> Any:
    return json.loads(names.sub(lambda found: f"{found[0]}{number}", json.dumps(part)))


def _stack(name: str, parts: Mapping[str, str], command: tuple[str, ...] = ("check", "grown"), *changes: tuple[str, str]) -> Growing:
    where = {"config/muster:cluster/" + path: names for path, names in parts.items()}
    return Growing(f"stacks/Pulumi.{name}.yaml", {"0/" + path: names for path, names in where.items()}, command, STACK, changes)


def _file(example: str, parts: Mapping[str, str], file: str, *changes: tuple[str, str]) -> Growing:
    command = ("check", "--plan", file) if "saved" in example or "golden" in example else ("check", file)
    return Growing(example, {path: names for path, names in parts.items()}, command, file, changes)


_WRONG_ZONE = ("            zone: us-west-2a\n            count: 1", "            zone: us-west-2b\n            count: 1")
_P5 = ("p5-odcr", {"groups/workers": r"workers|cr-fill-me-in"})
_TERRAFORM = {
    f"0/{path}/*": r"\bgpu\b|\befa\b|\bprivate\b"
    for path in ("planned_values/root_module/resources", "resource_changes", "configuration/root_module/resources")
}
_SUPPRESS = {
    "groups/workers": r"workers|cr-fill-me-in",
    "suppress/0": "workers",
}
_TOP = "    kubernetes:"
GROWING: Mapping[str, Growing] = {
    "eks groups": _stack(*_P5, ("check", "grown"), _WRONG_ZONE),
    "eks groups, json": _stack(*_P5, ("check", "grown", "-o", "json=a,sarif=b,junit=c,markdown=d,github=e"), _WRONG_ZONE),
    "eks groups, plan": _stack(*_P5, ("plan", "grown"), _WRONG_ZONE),
    "eks groups, cost": _stack(*_P5, ("cost", "grown"), _WRONG_ZONE),
    "eks groups, baseline": _stack(*_P5, ("check", "grown", "--write-baseline", "base.json"), _WRONG_ZONE),
    "eks suppressions": _stack(
        "p5-odcr",
        _SUPPRESS,
        ("check", "grown"),
        _WRONG_ZONE,
        (
            "    groups:\n",
            "    suppress: [{rule: reservation-zone-matches-subnet, at: groups.workers, reason: it is known, until: '2027-01-01'}]\n    groups:\n",
        ),
    ),
    "eks idle suppressions": _stack(
        "p5-odcr",
        _SUPPRESS,
        ("check", "grown"),
        _WRONG_ZONE,
        (
            "    groups:\n",
            "    suppress: [{rule: reservation-zone-matches-subnet, at: groups.nothing.workers, reason: it is known, until: '2027-01-01'}]\n    groups:\n",
        ),
    ),
    "eks unknown keys": _stack("p5-odcr", {"groups/workers/lokal-storage": "lokal"}, ("check", "grown"), ("local-storage", "lokal-storage")),
    "eks access": _stack("p5-odcr", {"access/0": "ml-admins"}),
    "karpenter groups": _stack("p5-karpenter", {"groups/workers": r"workers|cr-fill-me-in"}),
    "hyperpod groups": _stack("hyperpod-p5", {"groups/workers": r"workers"}),
    "hyperpod lustre": _stack("hyperpod-p5", {"storage/scratch": r"scratch|datasets"}),
    "hyperpod teams": _stack("hyperpod-teams", {"hyperpod/task-governance/teams/research": r"research"}),
    "hyperpod slurm groups": _stack("hyperpod-slurm-p5", {"groups/workers": r"workers"}),
    "hyperpod slurm partitions": _stack("hyperpod-slurm-p5", {"groups/workers": r"workers|training(?!-)"}, ("check", "grown"), ("for: training", "for: system")),
    "parallelcluster queues": _stack("pcluster-gpu", {"queues/compute-gpu": r"compute-gpu|distributed-ml|cr-fill-me-in"}, ("check", "grown"), ("    slurm:\n", "    slurm:\n      default-queue: compute-gpu0\n")),
    "parallelcluster groups": _stack("pcluster-gpu", {"queues/compute-gpu/groups/distributed-ml": r"distributed-ml|cr-fill-me-in"}),
    "parallelcluster settings": _stack("pcluster-gpu", {"slurm/settings/JobCompType": r"JobCompType"}),
    "pcs queues": _stack("pcs-p5", {"queues/train": r"train(?!ing)|p5-nodes|cr-fill-me-in"}, ("check", "grown"), ("default-queue: train", "default-queue: cpu")),
    "pcs groups": _stack("pcs-p5", {"queues/train/groups/p5-nodes": r"p5-nodes|cr-fill-me-in"}),
    "pcs groups, plan": _stack("pcs-p5", {"queues/train/groups/p5-nodes": r"p5-nodes|cr-fill-me-in"}, ("plan", "grown")),
    "hyperpod groups, plan": _stack("hyperpod-p5", {"groups/workers": r"workers"}, ("plan", "grown")),
    "karpenter groups, plan": _stack("p5-karpenter", {"groups/workers": r"workers|cr-fill-me-in"}, ("plan", "grown")),
    "terraform": _file("examples/other-tools/terraform-plan.json", _TERRAFORM, "input.json"),
    "cloudformation": _file(
        "examples/other-tools/eks-training.template.yaml",
        {"0/Resources/*": r"\bVpc\b|NodeSubnet|EfaSecurityGroup|EfaFromItself|NodeTemplate|NodeRole\b|Workers"},
        "input.json",
    ),
    "eksctl": _file("examples/other-tools/eks-p5.yaml", {"0/managedNodeGroups/1": r"workers|cr-0123456789abcdef|p5-placement\b"}, "input.yaml"),
    "eksctl own": _file("examples/other-tools/eks-p5.yaml", {"0/nodeGroups/1": r"workers|cr-0123456789abcdef|p5-placement\b"}, "input.yaml", ("managedNodeGroups", "nodeGroups")),
    "karpenter": _file("examples/other-tools/karpenter-p5.yaml", {"*": r"gpu\b|cr-0123456789abcdef"}, "input.yaml"),
    "parallelcluster": _file("examples/other-tools/parallelcluster.yaml", {"0/Scheduling/SlurmQueues/0": r"\btrain\b|p5_workers|cr-0123456789abcdef"}, "input.yaml"),
    "parallelcluster resources": _file(
        "examples/other-tools/parallelcluster.yaml", {"0/Scheduling/SlurmQueues/0/ComputeResources/0": r"p5_workers|cr-0123456789abcdef"}, "input.yaml"
    ),
    "parallelcluster storage": _file("examples/other-tools/parallelcluster.yaml", {"0/SharedStorage/0": r"\bfsx\b"}, "input.yaml"),
    "hyperpod": _file("examples/other-tools/hyperpod.json", {"0/InstanceGroups/1": r"workers"}, "input.json"),
    **{
        f"pulumi {name}": _file(
            f"tests/foreign/saved/{name}.json",
            {f"0/{path}/*": r"(?<=::)(workers|efa|training|efa-[a-z]*)\b|\b[a-z]+-[0-9a-f]{7,}"},
            "input.json",
        )
        for name, path in {"state": "deployment/resources", "preview": "steps", "plan": "resourcePlans"}.items()
    },
    **{
        f"muster plan {name}": _file(f"tests/golden/{name}.plan.json", {"0/resources/*": rf"\b{name}\b"}, "input.json")
        for name in ("p5-odcr", "hyperpod-p5", "hyperpod-slurm-p5", "pcluster-gpu", "pcs-p5", "p5-karpenter", "hyperpod-teams", "p5-shared-addons")
    },
    "events": Growing(
        "tests/cli/events/foreign.jsonl", {"*": r"(?<=::)[a-z-]+(?=\")"}, ("report", "--events", "input.jsonl"), "input.jsonl"
    ),
}
