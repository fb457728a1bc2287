"""What `muster plan --against` shows: changed keys with their costs, and changed resources."""

from tests.cli.conftest import Muster
from tests.plan_against.repositories import against, compared, costs


def test_nothing_changed(repository: Muster) -> None:
    """A comment is no change."""
    repository.edit("config:", "config: # of the cluster")
    found = compared(repository)
    assert (found["changes"], found["resources"]) == ([], [])


def test_a_changed_key_with_its_cost_and_its_resources(repository: Muster) -> None:
    """At its line in today's file."""
    repository.edit("size: 300GiB", "size: 400GiB")
    found = compared(repository)
    assert costs(found) == {"groups.workers.volume.size": "drains nodes"}
    assert {(each["operation"], each["name"], *each["inputs"]) for each in found["resources"]} == {
        ("update", "workers", "blockDeviceMappings"),
    }
    assert "groups.workers.volume.size: " in against(repository).out


def test_a_renamed_group_goes_and_comes(repository: Muster) -> None:
    """The resources of the old name are only in the earlier plan, those of the new name only in this one."""
    repository.edit("      workers:", "      trainers:")
    found = {(each["operation"], each["type"], each["name"]) for each in compared(repository)["resources"]}
    group = "aws:eks/nodeGroup:NodeGroup"
    assert {("delete", group, "workers"), ("create", group, "trainers")} <= found


def test_a_stack_that_the_commit_does_not_have(repository: Muster) -> None:
    """All its resources are new."""
    stacks = repository.folder / "stacks"
    (stacks / "Pulumi.new.yaml").write_text((stacks / "Pulumi.p5-odcr.yaml").read_text())
    found = compared(repository, stack="new")
    assert {each["operation"] for each in found["resources"]} == {"create"}


def test_a_stack_file_that_is_a_link_in_the_project(repository: Muster) -> None:
    from tests.plan_against.repositories import commit

    file, shared = repository.file(), repository.folder / "shared.yaml"
    file.rename(shared)
    file.symlink_to("../shared.yaml")
    commit(repository.folder)
    assert not compared(repository, ref="HEAD")["resources"]


def test_a_file_that_could_not_be_read(repository: Muster) -> None:
    """It is no empty plan."""
    from tests.plan_against.repositories import commit

    repository.edit("backend: eks", "backend: aks")
    commit(repository.folder)
    repository.edit("backend: aks", "backend: eks")
    ran = against(repository, ref="HEAD")
    assert (ran.code, ran.out) == (2, "")
    assert "HEAD" in ran.err
