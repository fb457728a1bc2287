"""Which format a file has, and what is said about a file that has none."""

from itertools import permutations
from pathlib import Path

import pytest

from muster.cli.exits import WrongInput
from muster.cli.source_files import open_sources
from muster.sources.recognition import UnknownFormat, files_in, open_file, recognize
from muster.sources.source import CannotBeRead, InvalidFile

TEXTS = {
    "pulumi": '{"version": 3, "deployment": {}}',
    "terraform": '{"format_version": "1.2", "terraform_version": "1.9.8", "planned_values": {}}',
    "cloudformation": "Resources:\n  A: {Type: AWS::EC2::VPC, Properties: !Ref B}\n",
    "eksctl": "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n",
    "karpenter": "---\n# a comment\n---\napiVersion: karpenter.sh/v1\nkind: NodePool\n",
    "parallelcluster": "Image: {Os: alinux2023}\nHeadNode: {}\nScheduling: {}\n",
    "hyperpod": '{"ClusterName": "a", "InstanceGroups": []}',
}


def written(folder: Path, text: str | bytes, name: str = "file.yaml") -> Path:
    """A file with this text."""
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


@pytest.mark.parametrize(("format_", "text"), TEXTS.items())
def test_each_format_is_recognized(format_: str, text: str, tmp_path: Path) -> None:
    assert recognize(open_file(written(tmp_path, text))).id == format_


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: 1\nb: 2\n", "has an unknown format (keys: a, b); Muster reads: Pulumi plan, Terraform plan, "),
        ("apiVersion: batch/v1\nkind: Job\n", "is a Kubernetes manifest (Job); rehearse it with "),
        ("config: {muster:cluster: {}}\n", "is a stack file; Muster reads stack files only as stacks/Pulumi.NAME.yaml"),
    ],
)
def test_a_file_of_another_format_is_described(text: str, words: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UnknownFormat) as fault:
        recognize(open_file(file))
    assert str(fault.value).startswith(f"{file}:1:1: {words}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1', "1:8: is not valid JSON"),
        ("a: [1\n", "1:4: is not valid YAML"),
        ("a: 1\nb: &x [*x]\n", "2:8: has the alias 'x', which contains itself"),
        ("a: 1\na: 2\n", "2:1: has the key 'a' twice"),
        ("{% for a in b %}\n", "so render the template first"),
        ("a: {{ b }}\n", "so render the template first"),
        (b"a: \xff\n", "1:4: byte 3 is not UTF-8"),
        ("a: " + "[" * 200 + "]" * 200, "is nested too deeply"),
        ("a: 1\n" + "#" * 2**20, "1:1: has 1.0 MiB of YAML, but Muster reads at most 1 MiB"),
    ],
    ids=lambda text: str(text)[:20],
)
def test_a_file_that_cannot_be_read_has_its_place(text: str | bytes, words: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    with pytest.raises(CannotBeRead) as fault:
        open_file(file)
    assert str(fault.value).startswith(f"{file}:")
    assert words in str(fault.value)


def test_a_folder_is_searched_without_hidden_folders_and_packages(tmp_path: Path) -> None:
    for name in ("b.yaml", "a/c.json", "a/d.template", "a/e.txt", ".git/f.yaml", "a/node_modules/g.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert [str(each.relative_to(tmp_path)) for each in files_in(tmp_path)[0]] == ["b.yaml", "a/c.json", "a/d.template"]


@pytest.mark.parametrize("target", ["../elsewhere", ".hidden", "node_modules"])
def test_a_link_to_a_folder_that_is_not_searched_is_no_clean_folder(tmp_path: Path, target: str) -> None:
    searched = tmp_path / "searched"
    searched.mkdir()
    (searched / target).mkdir()
    (searched / "sub").symlink_to(target)
    with pytest.raises(CannotBeRead, match="sub: is a link"):
        files_in(searched)


def test_a_folder_with_links_in_it_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c.yaml").touch()
    (tmp_path / "a" / "b" / "up").symlink_to("..")
    (tmp_path / "again").symlink_to("a/b")
    (tmp_path / "itself").symlink_to("itself")
    assert files_in(tmp_path)[0] == [tmp_path / "a" / "b" / "c.yaml"]


def test_a_folder_that_cannot_be_searched_is_not_a_clean_one(tmp_path: Path) -> None:
    """More than 100 levels deep: refused with a message, before the paths are too long for the system."""
    tmp_path.joinpath(*["a"] * 120).mkdir(parents=True)
    with pytest.raises(CannotBeRead, match="levels deep"):
        files_in(tmp_path)
    with pytest.raises(WrongInput, match="levels deep"):
        open_sources([tmp_path], skip_unknown=True)


POOL = "apiVersion: karpenter.sh/v1\nkind: NodePool\n"
TEMPLATE = "AWSTemplateFormatVersion: '2010-09-09'\nResources: {}\n"
EKSCTL = "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n"


@pytest.mark.parametrize("parts", list(permutations((POOL, TEMPLATE, EKSCTL), 2)))
def test_a_file_has_one_format(parts: tuple[str, str], tmp_path: Path) -> None:
    """Else no rule would evaluate the other part."""
    file = open_file(written(tmp_path, "---\n".join(parts)))
    with pytest.raises(InvalidFile, match=r"document [12] is"):
        recognize(file).read(file)


@pytest.mark.parametrize(
    ("text", "is_json"), [("a:\n  - b: 1\n    c: 2\n", False), ('{\n"a": [\n{"b": 1,\n"c": 2}]}', True)]
)
def test_a_value_has_its_position(text: str, is_json: bool, tmp_path: Path) -> None:
    """That of its key in YAML, and of the value in JSON; for a missing value, of the block around it."""
    file = open_file(written(tmp_path, text))
    assert file.is_json is is_json
    assert file.position(("a", 0, "c")).line == (3 if not is_json else 4)
    assert file.position(("a", 0, "missing")).line == (2 if not is_json else 3)


@pytest.mark.parametrize(("kind", "is_read"), [("terraform", True), ("cloudformation", False)])
def test_a_file_larger_than_its_service_accepts(tmp_path: Path, kind: str, is_read: bool) -> None:
    """Plans and states have any size."""
    text = TEXTS["terraform"] if is_read else '{"Resources": {"A": {"Type": "AWS::EC2::VPC"}}}'
    file = open_file(written(tmp_path, text + " " * 2 * 2**20, "file.json"))
    format_ = recognize(file)
    assert format_.id == kind
    if is_read:
        format_.read(file)
    else:
        with pytest.raises(InvalidFile):
            format_.read(file)
