"""Every job in every format, as it is printed for a cluster that can run it: `tests/golden/printed_jobs.txt`, which
`make goldens` writes. The goldens of stacks show most jobs once, in their first format."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from muster.blueprint.cluster import Blueprint
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kubernetes_jobs import make
from muster.jobs.manifest_yaml import to_yaml
from muster.jobs.slurm_jobs import make as script_of
from tests.jobs.clusters import a_cluster_for, a_group, a_hyperpod_cluster, a_stored_cluster, a_system_group
from tests.jobs.slurm.clusters import a_slurm_cluster, of

FILE = Path("tests/golden/printed_jobs.txt")


def kubernetes_cluster(name: str, form: str) -> Blueprint:
    """A cluster that can run a job in a format."""
    if form.startswith("hyperpod"):
        return a_hyperpod_cluster(hyperpod_training_operator={})
    if name == "nvbandwidth":
        return a_cluster_for(name)
    instance = "trn1.32xlarge" if name.startswith("trn1") else "p5.48xlarge"
    return a_stored_cluster({"system": a_system_group(), "workers": a_group(instance=instance)}, trainer={})


def _on_slurm(name: str, **options: Any) -> str:
    trainium = of("trn1.32xlarge", **options) if name.startswith("trn1") else a_slurm_cluster()
    return script_of(JOBS[name], trainium).text


def printed() -> Iterator[tuple[str, str]]:
    """Each job's name with its format, and its text."""
    for name, job in JOBS.items():
        for form in ("kubectl", *job.forms):
            made = make(job, kubernetes_cluster(name, form), JobOptions(), job.forms.get(form))
            yield f"{name} {form}", made.text or "---\n".join(map(to_yaml, made.documents))
        if job.slurm:
            yield f"{name} sbatch", _on_slurm(name)


def page() -> str:
    """The golden file."""
    return "".join(f"==== {title}\n{text}" for title, text in printed())
