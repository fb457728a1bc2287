"""`-o`: formats and places, several at once, whole files or none."""

import json
import os
import stat
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.cli.conftest import Muster

CHECK = ("check", "p5-odcr")
SOON = ("check", "p5-odcr", "--select", "reservation-covers-nodes")


def test_several_at_once(muster: Muster) -> None:
    """Each in its own place; stdout has one of them, alone."""
    muster.edit("        nodes: 1\n", "        nodes: 2\n")
    ran = muster.judged(*CHECK, "-o", "sarif=x.sarif,junit=x.xml", "-o", "markdown=-,github=x.txt,json=x.json,table=t")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("### Muster: 1 finding (1 mandatory, 0 advisory) in `p5-odcr`\n")
    (result, *_) = json.loads(Path("x.sarif").read_text())["runs"][0]["results"]
    assert result["ruleId"] == "reservation-covers-nodes"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "stacks/Pulumi.p5-odcr.yaml"
    (stack,) = json.loads(Path("x.json").read_text())["stacks"]
    where = stack["findings"][0]["where"]
    assert place["region"] == {"startLine": where["line"], "startColumn": where["column"]}
    assert ET.parse("x.xml").getroot().get("failures") == "1"
    assert Path("x.txt").read_text().startswith(f"::error file=stacks/Pulumi.p5-odcr.yaml,line={where['line']},col=")
    assert Path("t").read_text() == muster.judged(*CHECK).out
    assert Path("x.json").read_text() == muster.judged(*CHECK, "--json").out


@pytest.mark.parametrize(
    "asked",
    [
        *(("-o", each) for each in ("sarfi", "xml", "", "junit=", "markdown,github", "sarif=x,junit=x")),
        *(("-o", f"sarif={file}") for file in ("stacks", "no/x", "Pulumi.yaml/x", "a\0b")),
        ("--json", "-o", "sarif=-"),
    ],
    ids=ascii,
)
@pytest.mark.parametrize("command", ["check", "plan"])
def test_what_cannot_be_written_is_told_before_anything_is_judged(
    muster: Muster, command: str, asked: tuple[str, ...]
) -> None:
    """Words, exit 2, and no file and no folder made."""
    before = sorted(muster.folder.rglob("*"))
    ran = muster(command, "p5-odcr", *asked)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: ")
    assert sorted(muster.folder.rglob("*")) == before


def test_a_file_is_replaced_whole(muster: Muster) -> None:
    """With the rights of any new file, or those that the old one had; a link is replaced; nothing is left beside."""
    mask = os.umask(0o022)
    try:
        muster.judged(*SOON, "-o", "json=new.json")
        Path("old.json").write_text("old")
        Path("old.json").chmod(0o640)
        Path("link.json").symlink_to("theirs.json")
        Path("theirs.json").write_text("theirs")
        muster.judged(*SOON, "-o", "json=link.json")
        muster.judged(*SOON, "-o", "json=old.json")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(Path("new.json").stat().st_mode) == 0o644
    assert stat.S_IMODE(Path("old.json").stat().st_mode) == 0o640
    assert not Path("link.json").is_symlink()
    assert Path("theirs.json").read_text() == "theirs"
    assert Path("old.json").read_text() == Path("new.json").read_text()
    assert {each.name for each in muster.folder.iterdir()} == {
        *("Pulumi.yaml", "stacks", "new.json", "old.json", "link.json", "theirs.json")
    }


def test_a_write_that_fails_keeps_the_old_file_and_writes_the_others(
    muster: Muster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full: words and exit 2; what was there is there; the other output is written."""
    replace = Path.replace

    def full(self: Path, target: Path) -> Path:
        if target.name == "x.sarif":
            raise OSError(28, "No space left on device")
        return replace(self, target)

    Path("x.sarif").write_text("old")
    monkeypatch.setattr(Path, "replace", full)
    ran = muster.judged(*SOON, "-o", "sarif=x.sarif,junit=x.xml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("error: cannot write 'x.sarif': No space left on device")
    assert Path("x.sarif").read_text() == "old"
    assert Path("x.xml").read_text().endswith("</testsuites>\n")
    assert not list(muster.folder.glob(".x.sarif.*"))


def test_what_the_shell_opened_takes_a_report(muster: Muster) -> None:
    """`>(jq .)`: it is written to, not replaced."""
    reader, writer = os.pipe()
    muster.judged(*SOON, "-o", f"markdown=/dev/fd/{writer}")
    assert os.read(reader, 65536).startswith(b"### Muster: no findings in `p5-odcr`")
    os.close(reader)
    os.close(writer)


@pytest.mark.parametrize(
    "command",
    [
        ("check", "p5-odcr", "-o", "sarif={}"),
        ("plan", "p5-odcr", "-o", "json={}"),
        ("check", "p5-odcr", "--write-baseline", "{}"),
        ("rehearse", "p5-odcr", "--html", "{}"),
    ],
    ids=" ".join,
)
def test_a_report_goes_only_to_a_regular_file_of_the_checkout(
    muster: Muster, tmp_path_factory: pytest.TempPathFactory, command: tuple[str, ...]
) -> None:
    """No folder that is a link out of it, no pipe, no device: exit 2, at once, and nothing is written elsewhere."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "folder"
    elsewhere.mkdir()
    Path("link").symlink_to(elsewhere)
    os.mkfifo("fifo")
    for what in ("link/x", "link/../x", "fifo", "/dev/zero", "stacks"):
        assert muster.judged(*(each.format(what) for each in command)).code == 2, what
    assert [*elsewhere.parent.rglob("*")] == [elsewhere]
    assert stat.S_ISFIFO(Path("fifo").stat().st_mode)


def test_places_are_told_from_the_root_of_the_checkout(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """Annotations and SARIF are read against the repository, wherever below it Muster ran; the table is for here."""
    (muster.folder / ".git").mkdir()
    muster.edit("        nodes: 1\n", "        nodes: 2\n")
    monkeypatch.chdir(muster.folder / "stacks")
    assert muster.judged(*SOON, "-o", "github").out.startswith("::error file=stacks/Pulumi.p5-odcr.yaml,line=")
    assert muster.judged(*SOON).out.startswith("Pulumi.p5-odcr.yaml:")
