"""`muster plan STACK --against REF` of stacks that are new, have another name, or are gone."""

import json
from pathlib import Path

from tests.against.repositories import against, commit, compared
from tests.cli.conftest import Muster
from tests.shared_stacks import ADDONS, Shared


def test_a_stack_that_is_new_makes_everything(repository: Muster) -> None:
    """It says so, and lists what is made."""
    repository.take("p5-efa")
    found = compared(repository, stack="p5-efa")
    assert {each["operation"] for each in found["resources"]} == {"create"}
    assert found["notes"] == [
        ("main:stacks/Pulumi.p5-efa.yaml does not exist: the stack is new, and Pulumi creates all of its resources")
    ]
    assert found["dearest"] == "in place"


def test_a_stack_under_another_name_is_found(repository: Muster) -> None:
    """A file that is gone and looks like it is offered, and compared with when it is named."""
    repository.file().rename(repository.file("p5-prod"))
    assert compared(repository, stack="p5-prod")["notes"][1] == (
        "the removed stack p5-odcr is similar; if you renamed it (`pulumi stack rename`), compare with `--was p5-odcr`"
    )
    ran = against(repository, "--was", "p5-odcr", "--json", stack="p5-prod")
    assert ran.json["against"]["dearest"] == "replaces", "the cluster is called as the stack is"


def test_a_stack_whose_file_is_gone_lists_what_destroy_deletes(repository: Muster) -> None:
    """A file that is gone deletes nothing by itself."""
    repository.take("g4dn-vpc")
    commit(repository.folder)
    repository.file("g4dn-vpc").unlink()
    ran = against(repository, "--json", stack="g4dn-vpc")
    assert ran.code == 0
    assert {each["operation"] for each in ran.json["against"]["resources"]} == {"delete"}
    assert "removed. Removing the file deletes no resources;" in ran.json["against"]["notes"][0]
    assert against(repository, "--fail-on", "deletes", stack="g4dn-vpc").code == 1
    assert "EKS cluster" in against(repository, stack="g4dn-vpc").out


def test_a_stack_of_addons_that_is_gone_is_dear(repository: Muster) -> None:
    """It has nothing that a consequence is told of, and is deleted all the same."""
    Shared.in_folder(repository.folder)
    commit(repository.folder)
    repository.file(ADDONS).unlink()
    assert compared(repository, stack=ADDONS, ref="HEAD")["dearest"] == "deletes"
    assert against(repository, "--fail-on", "deletes", stack=ADDONS, ref="HEAD").code == 1
    assert against(repository, "--fail-on", "buys", stack=ADDONS, ref="HEAD").code == 0


def test_addons_that_leave_are_told(repository: Muster) -> None:
    """One that stays on the cluster is not deleted; without a device plugin nodes offer none of its devices."""
    repository.edit("      efa-device-plugin: {}\n", "")
    repository.edit("      mpi-operator: {}\n", "")
    found = compared(repository)
    assert [(each["cost"], each["says"]) for each in found["consequences"]] == [
        ("stays as it was", "removes add-on 'mpi-operator' from the stack only: it stays on the cluster"),
        ("deletes", "uninstalls add-on 'efa-device-plugin': nodes no longer offer EFA"),
    ]
    out = against(repository).out
    deleted, _, left = out.partition("Resources that leave the stack, but continue to exist\n")
    assert "  kubernetes:helm.sh/v3:Release efa-device-plugin\n" in deleted.partition("Resources that are deleted\n")[2]
    assert left.startswith("  kubernetes:yaml/v2:ConfigFile mpi-operator: stays on the cluster\n")
    assert "resources: 1 deleted, 1 removed from the stack only; highest change cost: stays as it was" in out


def test_a_stack_whose_file_is_gone_takes_every_option(repository: Muster) -> None:
    """Formats and configurations are held to what they are, and every format has what is lost."""
    repository.take("g4dn-vpc")
    commit(repository.folder)
    repository.file("g4dn-vpc").unlink()
    assert against(repository, "-o", "sarif=lost.sarif", "--fail-on", "deletes", stack="g4dn-vpc").code == 1
    (run,) = json.loads(Path("lost.sarif").read_text())["runs"]
    assert run["invocations"][0]["exitCode"] == 1
    assert "error" in {each["level"] for each in run["results"]}
    wrong = against(repository, "-o", "nonsense=x", stack="g4dn-vpc")
    assert (wrong.code, wrong.out) == (2, "")
    assert "no format 'nonsense'" in wrong.err
    assert against(repository, "--config", "nowhere.json", stack="g4dn-vpc").code == 2


def test_a_stack_on_neither_side_is_refused(repository: Muster) -> None:
    """With what was there."""
    ran = against(repository, stack="nowhere")
    assert ran.code == 2
    assert "no stack 'nowhere' at main" in ran.err
