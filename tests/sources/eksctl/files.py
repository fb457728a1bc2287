"""Compact ClusterConfigs, modelled on real ones, and what Muster finds in them."""

from datetime import date
from pathlib import Path
from typing import Any

import yaml

from muster.cli.commands.check_files import judge_source
from muster.cli.findings import ReportedFinding, StackReport
from muster.cli.rule_selection import select_rules
from muster.sources.recognition import recognize
from muster.sources.source import InputFile
from muster.yaml_text import load_all
from tests.stack_files import AS_OF

HEAD = {"apiVersion": "eksctl.io/v1alpha5", "kind": "ClusterConfig"}


def opened(text: str) -> InputFile:
    """A file with this text."""
    return InputFile(Path("cluster.yaml"), text, tuple(load_all(text, template=True)), is_json=False)


def config(*groups: dict[str, Any], **more: Any) -> str:
    """A ClusterConfig in us-west-2 with managed node groups. `version` is the Kubernetes version."""
    metadata = {"name": "training", "region": "us-west-2", "version": more.pop("version", "1.35")}
    value = {**HEAD, "metadata": {**metadata, **more.pop("metadata", {})}}
    if groups:
        value["managedNodeGroups"] = [{"name": f"group-{index + 1}", **each} for index, each in enumerate(groups)]
    return yaml.safe_dump({**value, **more}, sort_keys=False)


def report(text: str) -> StackReport:
    """The report of `muster check` about a file with this text."""
    file = opened(text)
    how = select_rules(None, None, None, None, None)
    return judge_source(file, recognize(file), how, date.fromisoformat(AS_OF))


def findings(text: str) -> tuple[ReportedFinding, ...]:
    """The findings about a file with this text."""
    made = report(text)
    assert made.bugs == ()
    return made.findings


def mandatory(text: str) -> set[str]:
    """The mandatory rules that a file breaks."""
    return {each.rule for each in findings(text) if each.level == "mandatory"}
