"""A file that cannot be read is wrong input, whichever option names it, and no file of the user is lost by it."""

import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Muster
from tests.stack_files import ROOT

NAMED_BY = (
    ("check", "{}"),
    ("check", "p5-odcr", "--config", "{}"),
    ("check", "p5-odcr", "--baseline", "{}"),
    ("report", "--events", "{}"),
    ("rehearse", "p5-odcr", "--file", "{}"),
    ("rehearse", "pcluster-gpu", "--file", "{}"),
    ("verify", "p5-odcr", "--kubeconfig", "{}"),
)


@pytest.mark.parametrize("arguments", NAMED_BY, ids=" ".join)
def test_what_is_no_regular_file_is_wrong_input(muster: Muster, arguments: tuple[str, ...], tmp_path: Path) -> None:
    """Neither waits for a pipe that nothing is written to, nor reads a device without an end."""
    muster.take("pcluster-gpu")
    os.mkfifo(tmp_path / "fifo")
    for name in ("/dev/zero", str(tmp_path / "fifo")):
        ran = muster(*(each.format(name) for each in arguments))
        assert ran.code == 2
        assert name in ran.err


@pytest.mark.parametrize("arguments", NAMED_BY, ids=" ".join)
def test_a_file_beyond_all_limits_is_wrong_input(muster: Muster, arguments: tuple[str, ...], tmp_path: Path) -> None:
    """It is not parsed: a text of that size would take minutes."""
    muster.take("pcluster-gpu")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(40 * 2**20)
    ran = muster(*(each.format(tmp_path / "large") for each in arguments))
    assert ran.code == 2
    assert "at most" in ran.err


def test_a_large_stack_or_facts_file_is_a_fault_of_form(muster: Muster) -> None:
    facts = muster.folder / "stacks" / "facts" / "p5-odcr.json"
    facts.parent.mkdir(exist_ok=True)
    for file in (facts, muster.file()):
        file.write_text(" " * 2**20)
        ran = muster.judged("check", "p5-odcr")
        assert ran.code == 2
        assert f"{file.relative_to(muster.folder)}:1:1: mandatory schema: has 1.0 MiB" in ran.out


def test_a_merge_key_is_the_only_fault(muster: Muster) -> None:
    """What it brings is not told as missing, too."""
    text = muster.file().read_text()
    block = text[text.index("      workers:") : text.index("    addons:")]
    merged = block.replace("workers:", "others:\n        <<: *workers", 1).split("\n", 2)
    named = block.replace("workers:", "workers: &workers", 1)
    muster.file().write_text(text.replace(block, named + "\n".join(merged[:2]) + "\n"))
    ran = muster.judged("check", "p5-odcr")
    assert ran.code == 2
    assert ran.out.count("mandatory schema") == 1
    assert "merge keys (<<)" in ran.out


def test_a_number_that_cannot_be_read_is_the_only_fault_of_its_place(muster: Muster) -> None:
    muster.edit("nodes: 1\n        zone", f"nodes: {'9' * 10_000}\n        zone")
    assert muster.judged("check", "p5-odcr").out.count("mandatory schema") == 1


@pytest.mark.parametrize("content", ["{", "[" * 5000, '{"baseline": 1, "known": 5}'])
def test_a_file_that_is_no_baseline_is_not_written_over(muster: Muster, content: str) -> None:
    Path("theirs.json").write_text(content)
    assert muster.judged("check", "p5-odcr", "--write-baseline", "theirs.json").code == 2
    assert Path("theirs.json").read_text() == content


def test_reports_stay_as_they_are_where_the_input_is_wrong(muster: Muster) -> None:
    Path("report.sarif").write_text("of yesterday")
    Path("plan.json").write_text("[" * 5000)
    assert muster("check", "plan.json", "--output", "sarif=report.sarif").code == 2
    assert Path("report.sarif").read_text() == "of yesterday"


def test_a_link_out_of_the_project_is_not_read(muster: Muster, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Muster looks for the file by its name, so the link is of whoever wrote the project."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    stacks = muster.folder / "stacks"
    (elsewhere / "p5-odcr.json").write_text('{"contract": 1, "c4n4ry": 1}')
    (elsewhere / "Pulumi.canary.yaml").write_text("c4n4ry: 1\n")

    def link_of_a_file() -> Path:
        (stacks / "facts").mkdir()
        (stacks / "facts" / "p5-odcr.json").symlink_to(elsewhere / "p5-odcr.json")
        return stacks / "facts" / "p5-odcr.json"

    def link_of_a_folder() -> Path:
        (stacks / "facts").symlink_to(elsewhere)
        return stacks / "facts"

    def link_of_links() -> Path:
        (stacks / "facts").mkdir()
        (muster.folder / "next").symlink_to(elsewhere)
        (stacks / "facts" / "p5-odcr.json").symlink_to("../../next/p5-odcr.json")
        return stacks / "facts" / "p5-odcr.json"

    def link_of_a_stack() -> Path:
        muster.file("canary").symlink_to(elsewhere / "Pulumi.canary.yaml")
        return muster.file("canary")

    for made in (link_of_a_file, link_of_a_folder, link_of_links, link_of_a_stack):
        link = made()
        ran = muster.judged("check", "--all")
        assert ran.code == 2
        assert "leads out of" in ran.out
        assert "c4n4ry" not in ran.out + ran.err
        link.unlink()
        if link.parent.name == "facts":
            link.parent.rmdir()


def test_a_link_in_the_project_is_read(muster: Muster) -> None:
    shared = muster.folder / "shared.json"
    shared.write_text('{"contract": 1}')
    (muster.folder / "stacks" / "facts").mkdir()
    (muster.folder / "stacks" / "facts" / "p5-odcr.json").symlink_to("../../shared.json")
    assert muster.judged("check", "p5-odcr").code != 2


def test_a_link_that_a_search_finds_stays_in_the_folder(
    muster: Muster, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same link, named by the user, is read."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "eks.yaml"
    shutil.copy(ROOT / "examples" / "other-tools" / "eks-p5.yaml", elsewhere)
    infra = muster.folder / "infra"
    infra.mkdir()
    (infra / "eks.yaml").symlink_to(elsewhere)
    searched, named = muster.judged("check", str(infra)), muster.judged("check", str(infra / "eks.yaml"))
    assert (searched.code, searched.out) == (2, "")
    assert "leads out of" in searched.err
    assert named.code == 1
