"""Which format a file has, and what is said about a file that has none."""

from itertools import permutations
from pathlib import Path

import pytest

from muster.cli.source_files import open_sources
from muster.finding import WrongInput
from muster.sources.recognition import UnknownFormat, files_in, open_file, recognize
from muster.sources.source import CannotBeRead, InvalidFile

TEXTS = {
    "pulumi": '{"version": 3, "deployment": {}}',
    "terraform": '{"format_version": "1.2", "terraform_version": "1.9.8", "planned_values": {}}',
    "cloudformation": "Resources:\n  A: {Type: AWS::EC2::VPC, Properties: !Ref B}\n",
    "eksctl": "apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\n",
    "karpenter": "---\n# a comment\n---\napiVersion: karpenter.sh/v1\nkind: NodePool\n",
    "parallelcluster": "Image: {Os: alinux2023}\nHeadNode: {}\nScheduling: {}\n",
    "kubernetes": "apiVersion: batch/v1\nkind: Job\nspec: {template: {spec: {containers: []}}}\n",
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
    ("text", "about"),
    [
        ("a: 1\nb: 2\n", "Terraform plan"),
        ("apiVersion: batch/v1\nkind: Job\n", "rehearse"),
        ("config: {muster:cluster: {}}\n", "Pulumi.NAME.yaml"),
    ],
)
def test_a_file_of_another_format_is_described(text: str, about: str, tmp_path: Path) -> None:
    """What is read, or what reads such a file."""
    file = written(tmp_path, text)
    with pytest.raises(UnknownFormat, match=about) as fault:
        recognize(open_file(file))
    assert str(fault.value).startswith(f"{file}:1:1: ")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": 1', "1:8"),
        ("a: [1\n", "1:4"),
        ("a: 1\na: 2\n", "2:1"),
        (b"a: \xff\n", "1:4"),
        ("a: " + "[" * 200 + "]" * 200, ""),
        ("a: 1\n" + "#" * 2**20, "1:1"),
    ],
    ids=lambda text: str(text)[:20],
)
def test_a_file_that_cannot_be_read_has_its_place(text: str | bytes, place: str, tmp_path: Path) -> None:
    file = written(tmp_path, text)
    with pytest.raises(CannotBeRead) as fault:
        open_file(file)
    assert str(fault.value).startswith(f"{file}:{place}")


@pytest.mark.parametrize("text", ["{% for a in b %}\n", "a: {{ b }}\n"])
def test_of_a_template_it_is_said_to_render_it(text: str, tmp_path: Path) -> None:
    with pytest.raises(CannotBeRead, match="render the template first"):
        open_file(written(tmp_path, text))


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


@pytest.mark.parametrize("parts", [*permutations(("kubernetes", "cloudformation", "eksctl"), 2)])
def test_a_file_has_one_format(parts: tuple[str, str], tmp_path: Path) -> None:
    """Else no rule would evaluate the other part."""
    file = open_file(written(tmp_path, "---\n".join(TEXTS[each] for each in parts)))
    with pytest.raises(InvalidFile, match=r"document \d"):
        recognize(file).read(file)


def test_a_file_larger_than_its_service_accepts(tmp_path: Path) -> None:
    """Plans and states have any size."""
    spaces = " " * 2 * 2**20
    plan = open_file(written(tmp_path, TEXTS["terraform"] + spaces, "plan.json"))
    assert recognize(plan).read(plan)
    template = open_file(written(tmp_path, '{"Resources": {"A": {"Type": "AWS::EC2::VPC"}}}' + spaces, "template.json"))
    with pytest.raises(InvalidFile):
        recognize(template).read(template)
