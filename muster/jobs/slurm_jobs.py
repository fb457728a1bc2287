"""Makes a job for a cluster with Slurm: chooses a compute resource, its nodes and a container, and renders its batch
script."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from muster.addons.image_names import split
from muster.blueprint.cluster import SlurmBlueprint
from muster.blueprint.group import SlurmGroup
from muster.jobs import images, job_metadata
from muster.jobs.group_selection import (
    NO_OPTIONS,
    DoesNotFit,
    JobOptions,
    Reasons,
    chosen_group,
    named,
    node_count,
    unfit,
)
from muster.jobs.job import Job, SlurmForm, Storage
from muster.jobs.kubernetes_jobs import NO_CHECKPOINTS
from muster.jobs.rendering import render
from muster.versions import FSDP_INDEX, FSDP_PACKAGES


@dataclass(frozen=True, slots=True)
class Script:
    """A batch script, sized to a queue's nodes."""

    name: str
    """The job's."""
    stack: str
    group: SlurmGroup
    """The group whose nodes it uses."""
    options: Mapping[str, str]
    """The options of `sbatch`, without the dashes; empty for an option without a value."""
    text: str
    """The file."""
    notes: tuple[str, ...] = ()
    """Notes for the user who submits the job, one line each."""


@dataclass(frozen=True, slots=True)
class Container:
    """An image as a file, and the folders of the node that are mounted in the container."""

    file: str
    """``/fsx/images/nccl-tests.sqsh``."""
    mounts: str
    notes: tuple[str, ...] = ()
    builds: str = ""
    """The image that its user builds, which the file is made of."""
    uri: str = ""
    """The image of a registry that the file is made of, in Enroot's format."""


def make(job: Job, blueprint: SlurmBlueprint, ask: JobOptions = NO_OPTIONS) -> Script:
    """A job's batch script for a cluster with Slurm.

    Raises:
        DoesNotFit: this cluster cannot run it, every reason at once; or no cluster with Slurm can.
    """
    form = job.slurm
    if form is None:
        raise DoesNotFit(f"the job is only for Kubernetes; {job.on_slurm}")
    _check_options(job, form, ask)
    why = {group.name: unfit(group, job.lacking) for group in _in_queue(blueprint, ask)}
    below = "queues:" if blueprint.described.queues else "groups:"
    group, here = blueprint.group(chosen_group(why, ask.group, job.having, below)), blueprint.environment
    reasons = Reasons()
    nodes = reasons.of(lambda: node_count(group, ask, blueprint.path_of(group.name).rpartition(".")[0])) or 0
    folder = reasons.of(lambda: _shared_folder(job, blueprint, ask))
    container = reasons.of(lambda: _container(job, form, blueprint, group, ask, folder))
    if job.cuda and ask.image is None:
        own = images.too_old(group) if _installs(job) else ""
        without = images.without_kernels(group) if container else own
        reasons.listed += [without] if without else []
    programs = reasons.of(lambda: f"{_program_folder(blueprint, folder)}/{job.image}") if _installs(job) else None
    reasons.check()
    processes, options = _processes(group), {}
    options = {"job-name": job.name, **_node_options(blueprint, group, nodes, 1 if form.one_task else processes)}
    options |= {**form.options, "output": f"{job.name}-%j.out"}
    text = render(
        form.template,
        name=job.name,
        stack=" ".join(blueprint.stack.split()),
        submit_on=here.submit_on,
        options=options,
        nodes=nodes,
        processes=processes,
        gpus=group.node.gpus,
        efa=group.node.efa,
        folder=folder,
        local=_local_folder(blueprint, group),
        container=container,
        programs=programs,
        source=images.IMAGES[job.image].source if _installs(job) else None,
        index=FSDP_INDEX,
        packages=FSDP_PACKAGES,
        enroot=here.enroot,
        has_docker=here.has_docker,
        # The address is unknown before the deployment: lines with a placeholder account would add a machine with that
        # name to the user's passwords.
        has_registry=blueprint.described.registry is not None,
        has_post_install=here.has_post_install,
        old_kernel=here.old_kernel,
        copies_by_cuda=group.node.hardware.nccl_copies_by_cuda,
        step_options="".join(f"{each} " for each in here.step_options),
    )
    notes = _notes(job, blueprint, group, nodes, folder, container, ask)
    return Script(job.name, blueprint.stack, group, options, text, tuple(notes))


def _check_options(job: Job, form: SlurmForm, ask: JobOptions) -> None:
    reasons = Reasons()
    reasons.of(lambda: images.check_image(ask.image))
    if job.storage is Storage.NONE and not form.in_container and ask.storage is not None:
        reasons.listed.append(f"{job.name} mounts no file system; leave out --storage {ask.storage}")
    if ask.image is not None and not form.in_container:
        why = f"{job.name} checks the nodes themselves, without a container"
        reasons.listed.append(f"{why}; leave out --image {ask.image}")
    reasons.check()


def groups_with_same_features(blueprint: SlurmBlueprint, group: SlurmGroup) -> tuple[str, ...]:
    """The other groups of its queue whose nodes also have the features of its constraint."""
    wanted = frozenset(filter(None, group.constraint.split("&")))
    others = (other for other in blueprint.groups if other.queue == group.queue and other.name != group.name)
    return tuple(other.name for other in others if wanted <= other.features)


def _in_queue(blueprint: SlurmBlueprint, ask: JobOptions) -> tuple[SlurmGroup, ...]:
    if ask.queue is None:
        return blueprint.groups
    named("queue", ask.queue, [queue.name for queue in blueprint.queues], "queue")
    own = tuple(group for group in blueprint.groups if group.queue == ask.queue)
    if elsewhere := [group for group in blueprint.groups if group.name == ask.group and group not in own]:
        raise DoesNotFit(
            f"group '{ask.group}' is in the queue '{elsewhere[0].queue}', not in '{ask.queue}'; leave out --queue"
        )
    return own


def _processes(group: SlurmGroup) -> int:
    """The processes of a job on each node: one per GPU, or per core of a Neuron device, which Slurm does not count."""
    machine = group.node.hardware
    return group.node.gpus or machine.neuron_cores_lnc2 or machine.neuron_cores or 1


def _node_options(blueprint: SlurmBlueprint, group: SlurmGroup, nodes: int, tasks: int) -> dict[str, str]:
    """The options of `sbatch` for whole nodes, with this number of tasks on each."""
    return {
        "partition": group.queue,
        **({"constraint": group.constraint} if group.constraint else {}),
        "nodes": str(nodes),
        "ntasks-per-node": str(tasks),
        "cpus-per-task": str(max(1, group.node.cpus // tasks)),
        **({"gpus-per-node": str(group.node.gpus)} if group.node.gpus else {}),
        "exclusive": "",
        # All memory of a node: --exclusive allocates only its CPUs and GPUs.
        **({"mem": "0"} if blueprint.environment.counts_memory else {}),
        # Otherwise the script begins as soon as the first of the nodes has started.
        "wait-all-nodes": "1",
    }


def _installs(job: Job) -> bool:
    """Whether its users install its programs on clusters without containers."""
    return job.image in images.IMAGES


def _shared_folder(job: Job, blueprint: SlurmBlueprint, ask: JobOptions) -> str | None:
    """The mount point of the requested file system, else of the only one; None if the job needs none and the cluster
    has none.

    Raises:
        DoesNotFit: the requested one does not exist, or there are several.
    """
    if job.storage is not Storage.REQUIRED and not blueprint.storage and ask.storage is None:
        return None
    if job.slurm and not job.slurm.in_container:
        return None
    return f"/{job_metadata.chosen_file_system(blueprint, ask)}"


def _program_folder(blueprint: SlurmBlueprint, folder: str | None) -> str:
    """The folder of images and programs: the file system, else a folder that all nodes share.

    Raises:
        DoesNotFit: the nodes share no folder.
    """
    found = folder or blueprint.environment.shared
    if found is None:
        raise DoesNotFit("the job needs a folder that all nodes share; add a file system below storage:")
    return found


def _local_folder(blueprint: SlurmBlueprint, group: SlurmGroup) -> str | None:
    """The node's NVMe disks, if it has any."""
    return blueprint.environment.scratch if group.node.hardware.nvme_gb else None


def _container(
    job: Job, form: SlurmForm, blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions, folder: str | None
) -> Container | None:
    """The container for a job; None if the stack runs jobs without containers.

    Raises:
        DoesNotFit: an image is requested, but the nodes cannot run containers.
    """
    installed, here = group.has_pyxis, blueprint.environment
    if not form.in_container or (not installed and ask.image is None):
        return None
    if installed is False:
        raise DoesNotFit(
            f"--image {ask.image}: the nodes cannot run containers; {here.containers_if}, or leave out --image"
        )
    notes: tuple[str, ...] = ()
    if installed is None:
        notes = (f"the script needs Pyxis and Enroot, and Muster does not know whether {here.software} has them",)
    mounts = ",".join(f"{each}:{each}" for each in (folder, _local_folder(blueprint, group)) if each)
    own = ask.image or ""
    if own.startswith(("/", "./")) or own.endswith(".sqsh"):
        # Pyxis recognizes a file by its slash: a bare name would be an image of Docker Hub.
        return Container(own if own.startswith(("/", "./")) else f"./{own}", mounts, notes)
    built = ask.image is None and job.image in images.IMAGES
    name = job.image if job.image in images.IMAGES else job.name
    file = f"{_program_folder(blueprint, folder)}/images/{name}.sqsh"
    if not built:
        return Container(file, mounts, notes, uri=enroot(ask.image or job.image))
    if not here.has_docker:
        notes += (f"no command of the script creates the image {file}: give {images.image_option(blueprint, name)}",)
    return Container(file, mounts, notes, builds=name)


def enroot(reference: str) -> str:
    """An image's reference in Enroot's format: ``public.ecr.aws#hpc-cloud/nccl-tests:TAG``."""
    named = reference.removeprefix("docker://")
    host, name = split(named)
    return f"{host}#{name}" if named.startswith(f"{host}/") else named


def _notes(
    job: Job,
    blueprint: SlurmBlueprint,
    group: SlurmGroup,
    nodes: int,
    folder: str | None,
    container: Container | None,
    ask: JobOptions,
) -> Iterator[str]:
    """Notes on effects that a user might not expect."""
    here = blueprint.environment
    if here.starts_nodes and not group.running:
        yield f"group '{group.name}' has no nodes until a job requests them; starting them takes minutes"
    elif here.starts_nodes and nodes > group.running:
        yield f"{group.running} nodes of group '{group.name}' always run; starting the others takes minutes"
    if others := groups_with_same_features(blueprint, group):
        yield (
            f"Slurm cannot distinguish nodes of group '{group.name}' from those of {', '.join(others)}, because "
            f"{here.same_features}"
        )
    if here.image and group.node.gpus:
        yield (
            f"Slurm counts GPUs only if the image has NVIDIA's driver; if {here.image} does not have it, Slurm "
            "rejects the job"
        )
    yield from container.notes if container else ()
    if job.storage is Storage.OPTIONAL and folder is None:
        yield f"the stack has no file system: {NO_CHECKPOINTS}"
    if job.cuda and ask.image is None and (container or _installs(job)):
        yield from images.unknown_driver_on_slurm(blueprint)
    yield from job.slurm.notes if job.slurm else ()
