"""A script as sbatch reads it. What is said of sbatch was tried with 22.05.8."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.rehearsal.slurm.batch_script import OPTIONS, REHEARSED, MalformedScript, parse_script

SCRIPT = """#!/bin/bash
# trains
#SBATCH --job-name=train --nodes 4
#SBATCH -p gpus -N2 # for now
#SBATCH --comment="two words"

  # an indented comment
#SBATCH --exclusive
#SBATCH --hold
#SBATCH --gpus-per-node=8
module load cuda
#SBATCH --nodes=9
srun hostname
"""


def test_options_stand_before_the_first_command_and_the_later_counts() -> None:
    """Long and short, with `=` or a blank; comments behind them are none of theirs."""
    script = parse_script(SCRIPT)
    assert script.asks == {
        "job-name": "train",
        "nodes": "2",
        "partition": "gpus",
        "comment": "two words",
        "exclusive": "",
        "hold": "",
        "gpus-per-node": "8",
    }
    assert script.name == "train"
    assert script.unread == (12,)
    assert parse_script("#!/bin/sh\n#SBATCH -N 2\n").unread == ()


def test_an_option_behind_a_space_is_a_comment() -> None:
    """As sbatch reads it; prose about SBATCH, and what stands behind the first command, are no options meant."""
    text = "#!/bin/sh\n#SBATCH -N 2\n# SBATCH --nodes=4\n#\tSBATCH -p gpu\n# SBATCH lines follow\nrun\n# SBATCH -N 1\n"
    script = parse_script(text)
    assert (script.asks, script.commented) == ({"nodes": "2"}, (3, 4))


@pytest.mark.parametrize(
    ("words", "asks"),
    [
        ("-HN2", {"hold": "", "nodes": "2"}),
        ("--part gpus", {"partition": "gpus"}),
        ("--nodes\n#SBATCH 4", {"nodes": "4"}),
        ("-N2 -- -p gpus", {"nodes": "2"}),
        ("--export -p", {"export": "-p"}),
    ],
)
def test_options_are_read_as_getopt_reads_them(words: str, asks: dict[str, str]) -> None:
    assert parse_script(f"#!/bin/sh\n#SBATCH {words}\n").asks == asks


@pytest.mark.parametrize("white", "\u00a0\u1680\u2028\u3000\x1c\x85")
def test_only_what_sh_knows_is_white_space(white: str) -> None:
    """Behind any other character, a line is a command, which ends the header."""
    assert parse_script(f"#!/bin/sh\n{white}#\n#SBATCH -N 2\n").asks == {}
    assert parse_script(f"#!/bin/sh\n# a{white}#SBATCH -N 4\n#SBATCH -N 2\n").asks == {"nodes": "2"}


TEXT = st.text(st.sampled_from("-=Npx ,%#'\"\\$`;&|\n\t\v\x85\u00a0"), max_size=20)
NAMES = st.sampled_from(sorted(OPTIONS)) | TEXT


@given(st.lists(st.tuples(NAMES, TEXT)), TEXT)
def test_only_options_of_the_list_reach_slurm(options: list[tuple[str, str]], body: str) -> None:
    """Whatever a script is: of another option at most the name, and nothing of the rest."""
    lines = (f"#SBATCH --{name}={value}" for name, value in options)
    try:
        arguments = list(parse_script("\n".join(("#!/bin/sh", *lines, body, ""))).arguments())
    except MalformedScript:
        return
    for each in arguments:
        name, equals, _ = each.lstrip("-").partition("=")
        assert re.match("--?[A-Za-z0-9]", each), each
        assert name in REHEARSED if equals else name not in OPTIONS - REHEARSED, each


@pytest.mark.parametrize("option", ["--nodelist=/etc/hosts", "--exclude ./nodes", "-w a/b", "-xa/b", "--exclud=/a"])
def test_no_option_names_a_file(option: str) -> None:
    script = parse_script(f"#!/bin/sh\n#SBATCH {option}\n#SBATCH -N 2\n")
    assert list(script.arguments()) == ["--nodes=2"]
    assert len(script.files) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the script is empty"),
        ("kind: MPIJob\n", "the script's first line is 'kind: MPIJob'"),
        ("#!/bin/sh\r\ntrue\r\n", "the line endings of Windows"),
        ("#!/bin/sh\0", "the script is not text"),
        ('#!/bin/sh\n#SBATCH --comment="open\n', "line 2: no closing quotation"),
        ("#!/bin/sh\n#SBATCH --=x\n", "line 2: '--=x' is not an option of sbatch"),
        ("#!/bin/sh\n#SBATCH -N 1\n#SBATCH hetjob\n", "line 3: a rehearsal does not support heterogeneous jobs"),
    ],
)
def test_what_is_no_script_is_said(text: str, words: str) -> None:
    """With the line, where it is one."""
    with pytest.raises(MalformedScript, match=words):
        parse_script(text)
