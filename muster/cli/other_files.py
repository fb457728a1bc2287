"""Files that are no stack, given in place of one: what each is, and the command that reads it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def advice_on(file: Path) -> str:
    """What a file is and what to do with it; empty if its kind is not known."""
    from muster import user_files
    from muster.yaml_text import NotYaml, load_all

    try:
        documents = load_all(user_files.read_text(file, user_files.MANIFEST))
    except (user_files.CannotRead, NotYaml):
        return ""
    found = [each for each in documents if isinstance(each, Mapping)]
    return _advice(file, found[0]) if found else ""


def _advice(file: Path, document: Mapping[Any, Any]) -> str:
    api, kind = str(document.get("apiVersion", "")), document.get("kind")
    if api.startswith("eksctl.io/"):
        return "an eksctl configuration, which Muster does not read; `muster init NAME` writes a stack file"
    if api and kind:
        return f"a Kubernetes manifest ({kind}); rehearse it with `muster rehearse STACK --file {file}`"
    if {"resourcePlans", "deployment"} & document.keys() or {"steps", "changeSummary"} <= document.keys():
        return f"a file of the Pulumi engine; check it with `muster check --plan {file}`"
    if {"HeadNode", "Scheduling"} & document.keys():
        return "a configuration of ParallelCluster, which Muster does not read; `muster init NAME` writes a stack file"
    if "AWSTemplateFormatVersion" in document or "Resources" in document:
        return "a CloudFormation template, which Muster reads only as part of a Pulumi program"
    return ""
