"""`muster rehearse` for a stack with Slurm: runs a batch script in the planned queues of a real slurmctld."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from muster import user_files
from muster.cli.exits import WrongInput

if TYPE_CHECKING:
    from muster.blueprint.slurm import SlurmBlueprint
    from muster.cli.commands.rehearse import RehearseOptions
    from muster.rehearsal.outcome import Outcome
    from muster.rehearsal.slurm.batch_script import Script
    from muster.rehearsal.slurm.rehearsal import RehearsalRequest

_ELSEWHERE = {
    "--lose-nodes": "only clusters with Kubernetes have drills",
    "--charts": "only clusters with Kubernetes have add-ons",
}
"""Option that does not apply to a cluster with Slurm -> the reason."""


def rehearse_on_slurm(blueprint: "SlurmBlueprint", options: "RehearseOptions") -> "Outcome | None":
    """Runs a job in the planned queues.

    Returns None, after printing why, if `--if-built` is given and Slurm is not installed.

    Raises:
        WrongInput: an option does not fit the stack, or the rehearsal cannot continue.
    """
    from muster import terminal

    given = {"--lose-nodes": options.lose_nodes, "--charts": options.charts}
    _refuse_kubernetes_options(given, blueprint.stack)
    request = _request(blueprint, options)
    if options.if_built and (lacking := _missing()):
        terminal.write_lines([f"not rehearsed: {lacking}"])
        return None
    return _rehearse(request)


def _refuse_kubernetes_options(given: Mapping[str, object], stack: str) -> None:
    """Refuses options that are for Kubernetes.

    Raises:
        WrongInput: such an option is given.
    """
    wrong = [f"{option}: {why}" for option, why in _ELSEWHERE.items() if given[option]]
    if wrong:
        raise WrongInput(*(f"{each}; {stack} uses Slurm, so leave out the option" for each in wrong))


def _missing() -> str:
    """The missing programs of Slurm's rehearsal, and how to install them; empty where none is missing."""
    from muster.rehearsal.slurm import controller

    return controller.missing_programs()


def _request(blueprint: "SlurmBlueprint", options: "RehearseOptions") -> "RehearsalRequest":
    """The job to rehearse.

    Raises:
        WrongInput: the file is not a batch script, Muster has no such job, or the job does not fit.
    """
    from muster.rehearsal.slurm.rehearsal import RehearsalRequest

    job, file, notes = options.job, options.file, options.notes
    if file is not None:
        return RehearsalRequest(blueprint, read_script(file), Path(file).stem if file != "-" else "stdin", notes)
    from muster.jobs.catalogue import UnknownJob, first_fitting, job_of, script_of
    from muster.jobs.group_selection import DoesNotFit, JobOptions
    from muster.rehearsal.slurm import batch_script

    ask = JobOptions(options.group, options.nodes, beyond_the_group=True, queue=options.queue)
    try:
        chosen = job_of(job) if job else first_fitting(blueprint, ask)
        text = script_of(chosen, blueprint, ask).text
    except UnknownJob as fault:
        raise WrongInput(str(fault)) from None
    except DoesNotFit as fault:
        which = f"{job} does not fit" if job else "no job of Muster fits"
        raise WrongInput(*(f"{which} {blueprint.stack}: {reason}" for reason in fault.reasons)) from None
    if not job:
        note = f"neither --job nor --file is given, so this rehearses {chosen.name}, the first job that fits"
        notes = (*notes, note)
    return RehearsalRequest(blueprint, batch_script.parse_script(text), chosen.name, notes)


def _rehearse(what: "RehearsalRequest") -> "Outcome":
    """The rehearsal itself.

    Raises:
        WrongInput: it cannot continue.
    """
    from muster.rehearsal.machine_limits import RehearsalError
    from muster.rehearsal.progress import Progress
    from muster.rehearsal.slurm.rehearsal import rehearse

    progress = Progress()
    try:
        return rehearse(what, progress)
    except RehearsalError as fault:
        raise WrongInput(f"the rehearsal cannot continue: {fault.args[0]}", *fault.args[1:]) from None
    finally:
        progress.status("")


def read_script(where: str) -> "Script":
    """A user's script.

    Raises:
        WrongInput: it cannot be read, or sbatch would not accept it as a script.
    """
    from muster.rehearsal.slurm.batch_script import MalformedScript, parse_script

    name = "stdin" if where == "-" else where
    try:
        # Line ends are kept: sbatch rejects those of Windows.
        return parse_script(user_files.read_bytes(where, user_files.MANIFEST).decode(), name)
    except user_files.CannotRead as fault:
        raise WrongInput(f"{name}: {fault}") from None
    except UnicodeDecodeError:
        raise WrongInput(f"{name} is not a text file; give a batch script") from None
    except MalformedScript as fault:
        raise WrongInput(f"{name}: {fault}") from None
