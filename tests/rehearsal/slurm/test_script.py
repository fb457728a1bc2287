"""A script as sbatch reads it. What is said of sbatch was tried with 22.05.8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.rehearsal.slurm.batch_script import MalformedScript, parse_script

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


def test_options_stand_before_the_first_command_and_the_later_counts():
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
    assert (script.name, script.line("nodes"), script.line("mem")) == ("train", 4, 0)
    assert script.unread == (12,)
    assert parse_script("#!/bin/sh\n#SBATCH -N 2\n").unread == ()


def test_an_option_behind_a_space_is_a_comment():
    """As sbatch reads it; prose about SBATCH, and what stands behind the first command, are no options meant."""
    text = "#!/bin/sh\n#SBATCH -N 2\n# SBATCH --nodes=4\n#\tSBATCH -p gpu\n# SBATCH lines follow\nrun\n# SBATCH -N 1\n"
    script = parse_script(text)
    assert (script.asks, script.commented) == ({"nodes": "2"}, (3, 4))


def test_of_what_is_played_only_the_options_are_the_scripts():
    """No command of it is left: it must not run here."""
    played = parse_script(SCRIPT).simulated_text("/folder").splitlines()
    assert played == [
        "#!/bin/sh",
        *SCRIPT.splitlines()[1:10],
        ": >'/folder/began-'$SLURM_JOB_ID",
        (
            "exec env MUSTER_REHEARSAL='/folder' MUSTER_REHEARSED_NODE=\"$SLURMD_NODENAME\" sh -c "
            "'while [ -d /folder ] && [ ! -e /folder/end ]; do sleep 0.1; done'"
        ),
    ]


@pytest.mark.parametrize("waits", ["#SBATCH --wait", "#SBATCH -W"])
def test_nothing_waits_for_the_job_to_end(waits: str):
    """`sbatch --wait` would come back only then."""
    assert waits not in parse_script(f"#!/bin/sh\n{waits}\n#SBATCH -N 2\n").simulated_text("/f")


WORDS = st.text(st.sampled_from("rm -f/$(`;&|<>'\"\\#\n\t "), max_size=40)


@given(WORDS)
def test_whatever_a_script_does_is_not_played(body: str):
    """Each line of what is played is the rehearsal's own, a comment, or blank."""
    try:
        played = parse_script(f"#!/bin/bash\n{body}\nrm -rf /fsx\n").simulated_text("/f").splitlines()
    except MalformedScript:
        return
    assert all(not line.strip() or line.lstrip().startswith("#") for line in played[:-2]), played


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the script is empty; give a batch script (`muster job` prints one)"),
        (
            "kind: MPIJob\n",
            "the script's first line is 'kind: MPIJob', but sbatch requires a line such as #!/bin/bash",
        ),
        (
            "#!/bin/sh\r\ntrue\r\n",
            ("the script has the line endings of Windows, which sbatch rejects; convert it with dos2unix"),
        ),
        ("#!/bin/sh\0", "the script is not text; give a batch script"),
        (
            '#!/bin/sh\n#SBATCH --comment="open\n',
            "line 2: no closing quotation in '#SBATCH --comment=\"open'; close it",
        ),
        (
            "#!/bin/sh\n#SBATCH -N 1\n#SBATCH hetjob\n",
            "line 3: a rehearsal does not support heterogeneous jobs (several jobs in one); give one of its parts",
        ),
    ],
)
def test_what_is_no_script_is_said(text: str, words: str):
    """With the line, where it is one."""
    with pytest.raises(MalformedScript) as told:
        parse_script(text)
    assert str(told.value) == words
