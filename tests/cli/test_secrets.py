"""Rules judge values that a file of another tool marks as secret like any other value. Their text, and the credentials
in addresses, are in no output of any command."""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import yaml

from muster import secret_texts
from muster.wire import SECRET, SIGNATURE
from tests.cli.conftest import Muster
from tests.stack_files import ROOT

OTHERS = ROOT / "examples" / "other-tools"
CANARY = "c4n4ry-of-a-secret"
ADDRESS = f"https://someone:{CANARY}@example.com/x.sh?X-Amz-Algorithm=a&X-Amz-Signature={CANARY}"

Make = Callable[[bool], Iterator[Any]]
"""Makes files with the canary, marked as secret or not."""


def with_texts(value: Any, made: Callable[[str], Any]) -> Any:
    """Plain data with other values in place of its texts."""
    if isinstance(value, Mapping):
        return {key: with_texts(each, made) for key, each in value.items()}
    if isinstance(value, list):
        return [with_texts(each, made) for each in value]
    return made(value) if isinstance(value, str) else value


def copied(value: Any) -> Any:
    return json.loads(json.dumps(value))


OTHER_RESOURCES = {
    "aws_eks_cluster": {
        "id": "c",
        "arn": "arn:aws:eks:us-west-2:1:cluster/c",
        "region": "us-west-2",
        "version": "1.33",
    },
    "helm_release": {
        "name": "a",
        "chart": "a",
        "version": "1",
        "values": ["a: b"],
        "set": [{"name": "a", "value": "b"}],
    },
    "kubernetes_manifest": {"manifest": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}},
    "kubernetes_deployment": {"metadata": [{"name": "a"}], "spec": [{"template": [{"spec": [{"host": "a"}]}]}]},
}


def terraform_plans(secret: bool) -> Iterator[Any]:
    whole = json.loads((OTHERS / "terraform-plan.json").read_text())
    listed, changes = whole["planned_values"]["root_module"]["resources"], whole["resource_changes"]
    for type_, values in OTHER_RESOURCES.items():
        about = {"address": f"{type_}.other", "mode": "managed", "type": type_, "name": "other"}
        listed.append({**about, "values": values})
        changes.append({**about, "change": {}})
    for index in range(len(whole["planned_values"]["root_module"]["resources"])):
        plan = copied(whole)
        each = plan["planned_values"]["root_module"]["resources"][index]
        each["values"] = with_texts(each["values"], lambda _: CANARY)
        if secret:
            each["sensitive_values"] = with_texts(each["values"], lambda _: True)
        yield plan


def changes_of_terraform(secret: bool) -> Iterator[Any]:
    """Older versions of Terraform write the marks only in `resource_changes`."""
    for plan in terraform_plans(secret):
        listed = plan["planned_values"]["root_module"]["resources"]
        marks = {each["address"]: each.pop("sensitive_values", {}) for each in listed}
        for each in plan["resource_changes"]:
            each["change"]["after_sensitive"] = marks[each["address"]]
        yield plan


WRITTEN: tuple[Callable[[str], Any], ...] = (
    lambda _: {"Ref": "Secret"},
    lambda _: {"Fn::Sub": "${Secret}"},
    lambda _: {"Fn::Sub": ["a-${Own}", {"Own": {"Ref": "Secret"}}]},
    lambda _: {"Fn::Join": ["-", ["a", {"Ref": "Secret"}]]},
    lambda _: {"Fn::Select": [0, {"Fn::Split": [",", {"Ref": "Secret"}]}]},
    lambda _: {"Fn::If": ["Always", {"Ref": "Secret"}, "b"]},
)


def templates(secret: bool) -> Iterator[Any]:
    whole = json.loads(json.dumps(yaml.load((OTHERS / "eks-training.template.yaml").read_text(), _Plain), default=str))
    whole.setdefault("Parameters", {})["Secret"] = {"Type": "String", "Default": CANARY, "NoEcho": secret}
    whole["Conditions"] = {**whole.get("Conditions", {}), "Always": {"Fn::Equals": ["a", "a"]}}
    written = cycle(WRITTEN)
    for logical, each in whole["Resources"].items():
        properties = with_texts(each.get("Properties"), lambda text: next(written)(text))  # noqa: PLW0108  (another function for each text)
        yield {**whole, "Resources": {**whole["Resources"], logical: {**each, "Properties": properties}}}


class _Plain(yaml.SafeLoader):
    """Reads the short functions of a template as texts."""


_Plain.add_multi_constructor("!", lambda loader, tag, node: str(node.value))


def states(secret: bool) -> Iterator[Any]:
    whole = json.loads((ROOT / "tests" / "sources" / "pulumi" / "saved" / "state.json").read_text())
    marked = {SIGNATURE: SECRET, "plaintext": json.dumps(CANARY)}
    for index in range(len(whole["deployment"]["resources"])):
        state = copied(whole)
        each = state["deployment"]["resources"][index]
        for name in ("inputs", "outputs"):
            each[name] = with_texts(each.get(name, {}), lambda _: marked if secret else CANARY)
        yield state


def everything(muster: Muster, file: Path) -> tuple[str, tuple[int, list[tuple[str, ...]]]]:
    """Everything that `check` prints and writes about a file; and its verdict: the exit code, level, rule and resource
    of each finding, rule and resource of what is not evaluated."""
    ran, reports = muster.reported("check", str(file))
    assert ran.code in (0, 1), ran.err
    (stack,) = json.loads(reports["json"])["stacks"]
    found = [(each["level"], each["rule"], each["resource"]) for each in stack["findings"]]
    unjudged = [("", each["rule"], each["resource"]) for each in stack["notEvaluated"]]
    return "\n".join((ran.out, ran.err, *reports.values())), (ran.code, sorted(found + unjudged))


def brought_over(muster: Muster, file: str = "other.json") -> str:
    """Everything that `init` prints and writes about a file."""
    ran = muster("init", "brought", "--from-file", file)
    assert ran.code in (0, 1, 2), ran.err
    written = muster.file("brought")
    told = ran.out + ran.err + (written.read_text() if written.exists() else "")
    written.unlink(missing_ok=True)
    return told


@pytest.mark.parametrize("make", [terraform_plans, changes_of_terraform, templates, states])
def test_a_mark_changes_no_finding_and_hides_the_text(muster: Muster, make: Make) -> None:
    """Marked and unmarked files have the same findings. Messages about the unmarked file contain the text, so the test
    can fail."""
    file, clear = muster.folder / "other.json", ""
    for open_, marked in zip(make(False), make(True), strict=True):
        secret_texts.forget()
        file.write_text(json.dumps(open_))
        told, expected = everything(muster, file)
        clear += told
        file.write_text(json.dumps(marked))
        told, (code, found) = everything(muster, file)
        assert (code, found) == (expected[0], sorted(hidden_in(expected[1])))
        told += brought_over(muster)
        assert CANARY not in told
        assert b64encode(CANARY.encode()).decode()[:20] not in told
    assert CANARY in clear


def hidden_in(found: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """The verdict on the unmarked file, with the text hidden in names of resources."""
    return (tuple(each.replace(CANARY, secret_texts.HIDDEN) for each in one) for one in found)


@pytest.mark.parametrize("mark", [True, "true", "True", "TRUE", False])
def test_an_old_version_in_a_secret_parameter(muster: Muster, mark: object) -> None:
    """A rule finds an old Kubernetes version in a parameter with `NoEcho`, and no output contains it."""
    cluster = {"Name": "training", "Version": {"Ref": "Version"}, "RoleArn": "arn:aws:iam::1:role/a"}
    template = {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Parameters": {"Version": {"Type": "String", "Default": "1.20", "NoEcho": mark}},
        "Resources": {"Cluster": {"Type": "AWS::EKS::Cluster", "Properties": cluster}},
    }
    file = muster.folder / "other.json"
    file.write_text(json.dumps(template))
    told, (code, found) = everything(muster, file)
    assert code == 1
    assert any(each[:2] == ("mandatory", "kubernetes-version-supported") for each in found), found
    assert ("1.20" in told) == (mark is False)


@pytest.mark.parametrize("name", sorted(each.name for each in OTHERS.iterdir()))
def test_credentials_of_addresses_are_in_no_output_and_no_written_file(muster: Muster, name: str) -> None:
    text = (OTHERS / name).read_text()
    documents = [json.loads(text)] if name.endswith(".json") else list(yaml.load_all(text, _Plain))
    told = ""
    for key in sorted({key for document in documents for key in texts_at(document)}):
        made = [json.loads(json.dumps(each, default=str)) for each in documents]
        for each in made:
            replace_at(each, key)
        file = muster.folder / "other.yaml"
        file.write_text(yaml.safe_dump_all(made))
        ran, reports = muster.reported("check", str(file))
        assert ran.code in (0, 1, 2), ran.err
        told += "\n".join((ran.out, ran.err, *reports.values())) + brought_over(muster, "other.yaml")
    assert CANARY not in told
    assert "example.com" in told


def test_messages_of_the_engine_have_no_credentials_of_addresses(muster: Muster) -> None:
    preview = json.loads((ROOT / "tests" / "sources" / "pulumi" / "saved" / "preview.json").read_text())
    preview["diagnostics"] = [{"severity": "error", "message": f"failed to fetch {ADDRESS}"}]
    file = muster.folder / "preview.json"
    file.write_text(json.dumps(preview))
    told, _ = everything(muster, file)
    assert CANARY not in told
    assert "example.com" in told


def test_a_description_has_no_credentials_of_addresses(muster: Muster) -> None:
    """A description with them is refused: it is a file of the repository, and Pulumi stores it as plain text."""
    muster.edit("    groups:\n", f"    chart-mirror: {ADDRESS}\n    groups:\n")
    ran = muster.judged("check", "p5-odcr", "-o", "json")
    assert ran.code == 2
    assert CANARY not in ran.out + ran.err
    (fault,) = ran.json["stacks"][0]["findings"]
    assert "example.com" in fault["got"]


@pytest.mark.parametrize(
    "contents",
    [
        f'{{"auths": {{"example.com": {{"auth": "{CANARY}"}}}}}}',
        b64encode(f'{{"auths": {{"registry.example.com": {{"auth": "{CANARY}"}}}}}}'.encode()).decode(),
    ],
)
def test_a_secret_is_named_and_its_contents_are_in_no_message(muster: Muster, contents: str) -> None:
    """They may be written where a name belongs."""
    muster.edit("    groups:\n", f"    image-pull-secrets: ['{contents}']\n    groups:\n")
    ran = muster.judged("check", "p5-odcr", "-o", "json")
    assert ran.code == 2
    assert contents not in ran.out + ran.err
    assert CANARY not in ran.out + ran.err


KINDS = frozenset(
    {"kind", "apiVersion", "Type", "type", "mode", "address", "AWSTemplateFormatVersion", "format_version"}
)


def texts_at(value: Any) -> Iterator[str]:
    """The keys of a document whose values are texts, without those that show its format."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if isinstance(each, str) and key not in KINDS:
                yield key
            yield from texts_at(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_at(each)


def replace_at(value: Any, wanted: str) -> None:
    if isinstance(value, dict):
        for key, each in value.items():
            if key == wanted and isinstance(each, str):
                value[key] = ADDRESS
            else:
                replace_at(each, wanted)
    elif isinstance(value, list):
        for each in value:
            replace_at(each, wanted)
