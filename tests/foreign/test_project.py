"""Another team's Pulumi.yaml and stack file: read as the engine reads them, refused in words."""

from pathlib import Path

import pytest

from muster.foreign.project import CannotBeRead, open_project
from muster.wire import UNKNOWN_TEXT
from tests.foreign.written import a_project

STACK = """\
config:
  plain: yes
  on: true
  much: 1.30
  theirs:config:old: kept
  nested:
    list: [1, {secure: v1:x}]
  aws:region: us-west-2
"""


def test_values_are_text(tmp_path: Path) -> None:
    """As they are written, structured ones as JSON, keys with their namespace; what is encrypted in one is unknown."""
    settings = a_project(tmp_path, "", {"Pulumi.dev.yaml": STACK}).settings("dev")
    assert settings.values == {
        "aws:region": "us-west-2",
        "theirs:plain": "yes",
        "theirs:on": "true",
        "theirs:much": "1.30",
        "theirs:old": "kept",
        "theirs:nested": f'{{"list": [1, "{UNKNOWN_TEXT}"]}}',
    }
    assert settings.secrets == settings.encrypted == ("theirs:nested",)


def test_the_projects_own_values(tmp_path: Path) -> None:
    """`default`, `value` and plain ones stand where the stack says nothing; one that is asked for and missing does
    not pass."""
    yaml = (
        "name: theirs\nruntime: python\nstackConfigDir: stacks\nconfig:\n  aws:region: us-east-1\n"
        "  aws:profile: {value: dev}\n  size: {type: integer, default: 4}\n"
    )
    files = {"Pulumi.yaml": yaml, "stacks/Pulumi.dev.yaml": "config:\n  size: 5\n"}
    project = a_project(tmp_path, "", files)
    assert project.stacks() == ["dev"]
    assert project.settings("dev").values == {"aws:region": "us-east-1", "aws:profile": "dev", "theirs:size": "5"}
    missing = a_project(tmp_path, "", {"Pulumi.yaml": yaml + "  team:\n    type: string\n"})
    with pytest.raises(CannotBeRead) as refused:
        missing.settings("dev")
    assert str(refused.value) == (
        f"{tmp_path.resolve()}/Pulumi.yaml:8:3: stack 'dev' does not set 'theirs:team', which the project requires; "
        f"set it in {tmp_path.resolve()}/stacks/Pulumi.dev.yaml"
    )


def test_which_stack(tmp_path: Path) -> None:
    """The only one, by short or full name; a near miss is offered; of several one is named."""
    project = a_project(tmp_path, "", {"Pulumi.production.yaml": ""})
    assert project.choose(None) == project.choose("production") == project.choose("org/theirs/production")
    with pytest.raises(
        CannotBeRead, match=r"no stack 'prodction' in .*; did you mean 'production'\? \(stacks: production\)$"
    ):
        project.choose("prodction")
    several = a_project(tmp_path, "", {"Pulumi.dev.yaml": ""})
    with pytest.raises(CannotBeRead, match=r"several stacks \(dev, production\); choose one with --stack"):
        several.choose(None)
    alone = a_project(tmp_path / "alone")
    assert (alone.choose(None), alone.choose("any")) == ("dev", "any")


@pytest.mark.parametrize(
    ("yaml", "words"),
    [
        (
            "name: x\nruntime: nodejs\n",
            r"Pulumi.yaml:2:10: runtime 'nodejs': Muster runs only programs in Python .*--plan FILE",
        ),
        ("name: x\nruntime:\n  name: go\n", r"Pulumi.yaml:2:1: runtime 'go': Muster runs only"),
        ("runtime: python\n", r"Pulumi.yaml:1:1: has no `name:`;"),
        ("name: x\n", r"Pulumi.yaml:1:1: has no `runtime:`;"),
        (
            "name: [x\n",
            "Pulumi.yaml:1:7: this is not valid YAML: .*; close the bracket or brace",
        ),
        (
            "name: x\nruntime: python\nmain: gone/\n",
            r"Pulumi.yaml: main 'gone/' does not exist; set it to the folder or file of the program",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, yaml: str, words: str) -> None:
    """Other languages, and files that are none, with the place and what to do."""
    with pytest.raises(CannotBeRead, match=words):
        a_project(tmp_path, "", {"Pulumi.yaml": yaml})


def test_no_project(tmp_path: Path) -> None:
    """No folder, an empty one, a file."""
    with pytest.raises(CannotBeRead, match=r"^folder .* does not exist; give the folder with Pulumi.yaml$"):
        open_project(tmp_path / "gone")
    with pytest.raises(CannotBeRead, match=r"^no Pulumi.yaml in .*; give the folder of a Pulumi project$"):
        open_project(tmp_path)
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(CannotBeRead, match=r"is a file; give the folder with Pulumi.yaml, or check a saved file with"):
        open_project(tmp_path / "plan.json")


def test_a_misspelt_region_is_refused_with_its_place(tmp_path: Path) -> None:
    """As in a description: nothing there would be judged by what its Region has."""
    project = a_project(tmp_path, "", {"Pulumi.dev.yaml": "config:\n  aws:region: eu-wset-1\n"})
    with pytest.raises(CannotBeRead, match=r"Pulumi\.dev\.yaml:2:15: .*'eu-wset-1'.*'eu-west-1'"):
        project.settings("dev")
