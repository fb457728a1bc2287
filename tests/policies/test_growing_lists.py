"""Lists that grow: a version, type, Region or word that is newer than a list of Muster's is at most advice.

A rule that refuses what is newer than itself refuses what works. Two walks: over the inputs that the example stacks
register, and over what is read before any rule: descriptions and files.
"""

import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
import yaml

from muster.cli.rule_selection import select_rules
from muster.cli.source_files import judge_sources
from muster.finding import KeyPath, Level, dotted_path
from muster.sources.recognition import recognize
from muster.sources.source import InputFile
from muster.stack.project import stacks
from muster.stack.stack_checks import region_problem
from muster.yaml_text import load_all
from tests.corpus import Entry, edited
from tests.corpus.judged import by_description, by_program, registrations
from tests.stack_files import AS_OF, ROOT

NEWER = {
    "addonversion": "v9.0.0-eksbuild.1",
    "amifamily": "AmazonLinux2099",
    "amitype": "AL2099_x86_64_NVIDIA",
    "authenticationmode": "NEXT",
    "capacityreservationpreference": "next",
    "capacitytype": "NEXT",
    "deploymenttype": "PERSISTENT_9",
    "drivecachetype": "NEXT",
    "effect": "NEXT",
    "filesystemtypeversion": "9.0",
    "instancetype": "p9.48xlarge",
    "instancetypes": "p9.48xlarge",
    "interfacetype": "efa-next",
    "markettype": "next",
    "mode": "NEXT",
    "nodeprovisioningmode": "Next",
    "noderecovery": "Next",
    "nodetype": "Next",
    "onstartdeephealthchecks": "Next",
    "os": "alinux2099",
    "parametername": "NextParameter",
    "preemptteamtasks": "Next",
    "purchaseoption": "NEXT",
    "region": "us-west-9",
    "size": "HUGE",
    "slurmconfigstrategy": "Next",
    "storagetype": "NVME",
    "trackingserversize": "Huge",
    "version": "1.99",
    "volumetype": "gp9",
}
"""Property of AWS's APIs or of another tool, in small letters -> a value that may be added to its list."""

CONTRADICTIONS = {
    ("capacity-block-template", "markettype"),
    ("kubelet-within-version-skew", "version"),
    ("parallelcluster-image-of-version", "os"),
    ("reservation-instance-type-matches", "instancetype"),
    ("subnet-zone-as-declared", "region"),
}
"""Rules that compare the newer value with another value of the program, the file or the facts, and with no list."""


def newer_values(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, str, str]]:
    """The place, the property and the newer value of each text that has one; texts that are JSON are read."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from newer_values(inner, (*path, key))
    elif isinstance(value, str) and len(path) == 1 and value[:1] == "{":
        yield from newer_values(json.loads(value), path)
    elif isinstance(value, str) and "tags" not in path:
        name = next(str(each) for each in reversed(path) if isinstance(each, str)).replace("_", "").lower()
        if name in NEWER:
            newer = "99.11" if name == "version" and not value.startswith(("1.", "v")) else NEWER[name]
            yield path, name, f"ml.{newer}" if value.startswith("ml.") else newer


@pytest.mark.parametrize("stack", stacks(ROOT))
def test_a_newer_input_of_a_program_is_at_most_advice(stack: str) -> None:
    plain = Entry(name=stack, kind="sound", says="the stack itself", stack=stack)
    tried = set()
    for each in registrations(plain, plain.opened()):
        for path, name, newer in newer_values(dict(each.inputs)):
            shape = (each.type, tuple(key for key in path if isinstance(key, str)))
            if shape in tried:
                continue
            tried.add(shape)
            edits = {f"{each.type}::{each.name}": {dotted_path(path): newer}}
            said = by_program(plain.model_copy(update={"registered": edits}))
            assert refused(said.findings, name) == set(), edits


def refused(findings: Any, name: str) -> set[str]:
    """The mandatory rules among findings that are no contradiction."""
    found = {each.rule for each in findings if each.level == Level.MANDATORY}
    return {each for each in found if (each, name) not in CONTRADICTIONS}


@pytest.mark.parametrize("file", sorted((ROOT / "examples/other-tools").iterdir()), ids=lambda file: file.name)
def test_a_newer_value_in_a_file_of_another_tool_is_at_most_advice(file: Any) -> None:
    text, is_json = file.read_text(encoding="utf-8"), file.suffix == ".json"
    documents = {"all": list(load_all(text, template=True))}
    before = refused_in_file(file, documents, is_json=is_json)
    for path, name, newer in newer_values(documents):
        more = refused_in_file(file, edited(documents, {dotted_path(path): newer}), is_json=is_json)
        assert {each for each in more - before if (each, name) not in CONTRADICTIONS} == set(), (path, newer)


def refused_in_file(file: Any, documents: dict[str, Any], *, is_json: bool) -> set[str]:
    """The mandatory rules that a file with these documents breaks."""
    text = json.dumps(documents["all"][0]) if is_json else yaml.safe_dump_all(documents["all"])
    changed = InputFile(file, text, tuple(load_all(text, template=True)), is_json=is_json)
    (report,) = judge_sources([(changed, recognize(changed))], select_rules(), date.fromisoformat(AS_OF))
    assert report.bugs == ()
    return {each.rule for each in report.findings if each.level == Level.MANDATORY}


@pytest.mark.parametrize(
    ("stack", "change"), [("p5-odcr", {"kubernetes": "1.99"}), ("pcs-p5", {"slurm.version": "99.11"})]
)
def test_a_newer_version_in_a_description_is_at_most_advice(stack: str, change: dict[str, Any]) -> None:
    newer = Entry(name=stack, kind="sound", says="a newer version", stack=stack, change=change)
    assert newer.opened().described is not None
    assert refused(by_description(newer).findings, "") == set()


def test_a_newer_region_is_no_schema_error() -> None:
    assert region_problem("ap-southeast-9") == ""
