"""The law of jobs and rules: no rule about pods finds anything in a job that Muster prints."""

from datetime import date

import pytest

from muster.cli.source_files import judge_manifest
from muster.jobs.catalogue import JOBS
from muster.jobs.group_selection import JobOptions
from muster.jobs.kubernetes_jobs import make
from muster.jobs.manifest_yaml import to_yaml
from muster.policies.engine.described_fleet import described_fleet
from tests.jobs.printed_jobs import kubernetes_cluster
from tests.stack_files import AS_OF

TODAY = date.fromisoformat(AS_OF)


@pytest.mark.parametrize("name", JOBS)
def test_printed_jobs_pass_the_rules_about_pods(name: str) -> None:
    """On the cluster that they are for, in all formats that are manifests."""
    for form in ("kubectl", *(each for each in JOBS[name].forms if each == "trainjob")):
        cluster = kubernetes_cluster(name, form)
        made = make(JOBS[name], cluster, JobOptions(), JOBS[name].forms.get(form))
        text = made.text or "---\n".join(map(to_yaml, made.documents))
        report = judge_manifest("job.yaml", text, described_fleet(cluster, TODAY), TODAY)
        assert report.readable
        assert not report.bugs
        assert [(each.rule, each.got) for each in report.findings] == []


def test_a_job_of_other_types_crashes_no_rule() -> None:
    job = """
    {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, command: 7, env: [
      5, {name: [1], value: a}, {name: {a: b}, value: a}, {name: OMP_NUM_THREADS, value: 9}]}]}}
    """
    cluster = kubernetes_cluster("nccl-tests", "kubectl")
    assert not judge_manifest("job.yaml", job, described_fleet(cluster, TODAY), TODAY).bugs
