"""The page about jobs: written by hand, held to the code."""

import re

from muster.config.project import open_stack
from muster.jobs import images
from muster.jobs.catalogue import JOBS
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
    assert named == {name for name, job in JOBS.items() if job.slurm}
    beside = {f"`{name}`" for name, job in JOBS.items() if not job.slurm}
    assert all(each in PAGE[PAGE.index("| on Slurm |") :] for each in beside)


def test_the_commands_it_shows_are_the_ones_that_are_printed() -> None:
    """For building and pushing."""
    blueprint = open_stack(ROOT, "trn1").derive()
    for line in images.build_commands(blueprint, images.image_of("pytorch-fsdp")):
        assert line.replace("--stack trn1", "--stack my-stack") in PAGE
