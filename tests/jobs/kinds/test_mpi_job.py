"""An MPIJob's roles. The MPI operator itself makes its pods (`tests/rehearsal/test_operators.py`)."""

from muster.jobs.kinds.catalogue import roles_of
from tests.jobs.documents import an_mpi_job


def test_the_launcher_may_wait_for_workers() -> None:
    """`WaitForWorkersReady`; by default both start at once."""
    roles = roles_of(an_mpi_job(launcherCreationPolicy="WaitForWorkersReady")).roles
    assert [(role.name, role.after) for role in roles] == [("worker", ()), ("launcher", ("worker",))]
    assert [role.after for role in roles_of(an_mpi_job()).roles] == [(), ()]
    assert [role.after for role in roles_of(an_mpi_job(launcherCreationPolicy="AtStartup")).roles] == [(), ()]


def test_without_workers() -> None:
    """A launcher alone is legal."""
    job = an_mpi_job()
    del job["spec"]["mpiReplicaSpecs"]["Worker"]
    (role,) = roles_of({**job, "spec": {**job["spec"], "launcherCreationPolicy": "WaitForWorkersReady"}}).roles
    assert (role.name, role.after) == ("launcher", ())
