"""The page about jobs: written by hand, held to the code."""

import re

import pytest

from muster.config.project import open_stack
from muster.jobs import bert, images
from muster.jobs import bert as trn1_pretrain
from muster.jobs.catalogue import JOBS, DoesNotFit, JobOptions
from muster.jobs.worker_set import node_share
from muster.size import Size
from tests.stack_files import ROOT

PAGE = "\n".join(
    (ROOT / "docs" / page).read_text(encoding="utf-8")
    for page in ("reference/jobs.md", "how-to/run-a-job.md", "how-to/trainium.md")
)


def column(after: str) -> list[str]:
    """The first column of the table whose first heading is this."""
    lines = iter(PAGE[PAGE.index(f"| {after} |") :].splitlines()[2:])
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append(line.split("|")[1].strip(" `"))
    return found


def test_every_job_form_and_image_is_on_it() -> None:
    """And none that there is not."""
    assert set(column("job")) == set(JOBS)
    assert set(column("image")) == set(images.IMAGES)
    forms = {name for job in JOBS.values() for name in job.forms}
    assert set(re.findall(r"--format ([a-z0-9-]+)", PAGE)) == forms


def test_every_batch_script_is_on_it() -> None:
    """By the names of their jobs; those that have none are named beside."""
    named = {name for cell in column("on Slurm") for name in cell.replace("`", "").split(", ")}
    assert named == {name for name, job in JOBS.items() if job.sbatch}
    beside = {f"`{name}`" for name, job in JOBS.items() if not job.sbatch}
    assert all(each in PAGE[PAGE.index("| on Slurm |") :] for each in beside)


def test_the_sum_it_shows_is_the_one_that_is_said() -> None:
    """Word for word, but for where the lines break."""
    blueprint = open_stack(ROOT, "p5-odcr").derive()
    with pytest.raises(DoesNotFit) as refused:
        node_share(blueprint, blueprint.group("workers"), JobOptions(memory=Size(1928135)))
    assert f"nccl-tests does not fit p5-odcr: {refused.value}" in " ".join(PAGE.split())


def test_the_commands_it_shows_are_the_ones_that_are_printed() -> None:
    """For building and pushing, and for what TorchX is given."""
    blueprint = open_stack(ROOT, "trn1").derive()
    for line in images.build_commands(blueprint, images.image_of("pytorch-fsdp")):
        assert line.replace("--stack trn1", "--stack my-stack") in PAGE
    (line,) = [
        each.strip() for each in trn1_pretrain.pretrain_component(blueprint).splitlines() if "torchx run" in each
    ]
    assert line in PAGE
    assert set(re.findall(r"-cfg (\S+)", PAGE)) == set(re.findall(r"-cfg (\S+)", line))


def test_data_are_unpacked_where_the_training_looks_for_them() -> None:
    """The archive's name is the folder's."""
    assert f"tar xf {bert.DATASET}.tar" in PAGE
