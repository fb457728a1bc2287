"""slurm.conf, line by line where ParallelCluster writes them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.slurm.configuration import planned_configuration
from muster.rehearsal.slurm.controller import PACKAGES, Controller
from tests.factories.parallelcluster import a_slurm_blueprint
from tests.jobs.slurm.clusters import derived
from tests.strategies import Described
from tests.strategies.parallelcluster import legal_slurm

INFERENCE = {
    "queues.serve": {
        "exclusive": False,
        "zones": ["us-west-2a"],
        "groups": {"small": {"for": "inference", "instance": "g5.12xlarge", "nodes": {"min": 1, "max": 3}}},
    },
    "slurm": {"default-queue": "train", "settings": {"JobCompType": "jobcomp/filetxt", "MaxArraySize": 5000}},
}


def written(blueprint: ParallelClusterBlueprint) -> list[str]:
    return planned_configuration(blueprint).slurm_conf(()).splitlines()


def test_queues_are_written_as_parallelcluster_writes_them() -> None:
    """Names, features, weights, memory, Gres, the default queue, what is never suspended: `config_renderer.py`."""
    lines = written(a_slurm_blueprint(INFERENCE))
    assert [line for line in lines if line.startswith(("NodeName", "NodeSet", "PartitionName", "SuspendExc"))] == [
        (
            "NodeName=train-st-workers-[1-4] CPUs=96 RealMemory=1120665 State=CLOUD "
            "Feature=static,p4de.24xlarge,workers,efa,gpu Weight=1 Gres=gpu:a100:8"
        ),
        "NodeSet=train_nodes Nodes=train-st-workers-[1-4]",
        "PartitionName=train Nodes=train_nodes MaxTime=INFINITE State=UP Default=YES OverSubscribe=EXCLUSIVE",
        (
            "NodeName=serve-st-small-[1-1] CPUs=48 RealMemory=186777 State=CLOUD "
            "Feature=static,g5.12xlarge,small,gpu Weight=1 Gres=gpu:a10g:4"
        ),
        (
            "NodeName=serve-dy-small-[1-2] CPUs=48 RealMemory=186777 State=CLOUD "
            "Feature=dynamic,g5.12xlarge,small,gpu Weight=1000 Gres=gpu:a10g:4"
        ),
        "NodeSet=serve_nodes Nodes=serve-st-small-[1-1],serve-dy-small-[1-2]",
        "PartitionName=serve Nodes=serve_nodes MaxTime=INFINITE State=UP",
        "SuspendExcNodes=train-st-workers-[1-4],serve-st-small-[1-1]",
    ]


def test_settings_of_ones_own_that_decide_which_jobs_start_come_last() -> None:
    blueprint = a_slurm_blueprint(INFERENCE)
    assert written(blueprint)[-1] == "MaxArraySize=5000"
    assert planned_configuration(blueprint).not_rehearsed() == ("JobCompType",)


PARAMETERS = ["Epilog", "JobCompLoc", "MailProg", "MaxArraySize", "PluginDir", "PreemptMode", "SlurmctldHost"]
VALUES = ("/tmp/program", "a:1 PluginDir=/tmp", "a\nInclude=/tmp/a", 'a"', "a\\", "a#", "a\u2028b")


@given(st.dictionaries(st.sampled_from(PARAMETERS), st.sampled_from(VALUES) | st.text(max_size=8), min_size=1))
def test_no_setting_names_a_program_or_adds_another_setting(settings: dict[str, str]) -> None:
    """A line of the list, of one word, or none; and each that is left out is named."""
    plain = planned_configuration(a_slurm_blueprint())
    configuration = replace(plain, settings=settings)
    before, after = (each.slurm_conf(()) for each in (plain, configuration))
    assert after.startswith(before)
    added = after.removeprefix(before).splitlines()
    assert len(added) == len(settings) - len(configuration.not_rehearsed())
    assert all(re.fullmatch(r"[^\s\"#\\]+", each) for each in added), added
    assert not {each.partition("=")[0] for each in added} & NEVER


NEVER = {each for each in PARAMETERS if re.search("Pro(g|log|gram)$|Epilog|Plugin|Log|Dir|Host|Addr|Loc|Name", each)}
"""Programs, libraries, files and addresses, by the words in their names."""


def test_a_name_that_is_not_one_word_is_refused() -> None:
    with pytest.raises(RehearsalError):
        replace(planned_configuration(a_slurm_blueprint()), cluster="a PluginDir=/tmp")


def test_own_scheduler_parameters_stay_with_the_rehearsals_haste() -> None:
    """A key that is written twice counts once, the last time."""
    lines = written(a_slurm_blueprint({"slurm": {"settings": {"SchedulerParameters": "bf_max_job_test=50"}}}))
    assert lines[-1] == "SchedulerParameters=bf_max_job_test=50,batch_sched_delay=0,sched_interval=1,bf_interval=1"


@given(legal_slurm())
def test_every_node_of_the_description_is_there_once(legal: Described) -> None:
    """Static ones are those that always run; together they are the most that the queue may have."""
    blueprint = derived(legal)
    lines = planned_configuration(blueprint).lines
    names = [name for line in lines for name in line.names]
    assert len(names) == len(set(names)) == sum(group.described.nodes.max for group in blueprint.groups)
    assert sum(line.number for line in lines if line.static) == sum(g.described.nodes.min for g in blueprint.groups)


def test_a_slurmctld_that_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its version is not empty: the rehearsal says why it has none."""
    for name in PACKAGES:
        program = tmp_path / name
        program.write_text("#!/bin/sh\necho 'slurmctld: error: cannot load libslurm' >&2; exit 1\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(RehearsalError, match="cannot load libslurm"),
        Controller(planned_configuration(a_slurm_blueprint())),
    ):
        pass
