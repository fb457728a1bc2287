"""The container, folders and environment variables of a job's processes on the nodes of a cluster with Slurm."""

import shlex
from dataclasses import dataclass

from muster.blueprint.slurm import SlurmBlueprint, SlurmGroup
from muster.jobs import images, job_metadata
from muster.jobs.group_selection import DoesNotFit
from muster.jobs.job_options import JobOptions
from muster.jobs.slurm.batch_script import exit_unless

TEMPORARY = "/tmp"  # noqa: S108  (on a node without local disks)


def shared_folder(blueprint: SlurmBlueprint, ask: JobOptions) -> str:
    """The mount point of the requested file system, else of the only one.

    Raises:
        DoesNotFit: there is none, or there are several.
    """
    return f"/{job_metadata.chosen_file_system(blueprint, ask)}"


def optional_shared_folder(blueprint: SlurmBlueprint, ask: JobOptions) -> str | None:
    """The same, for a job that does not require it: None if the cluster has no file system.

    Raises:
        DoesNotFit: the requested one does not exist, or there are several.
    """
    return shared_folder(blueprint, ask) if blueprint.storage or ask.storage is not None else None


def program_folder(blueprint: SlurmBlueprint, folder: str | None) -> str:
    """The folder of images and programs: the file system, else a folder that all nodes share.

    Raises:
        DoesNotFit: the nodes share no folder.
    """
    found = folder or blueprint.environment.shared
    if found is None:
        raise DoesNotFit("the job needs a folder that all nodes share; add a file system below storage:")
    return found


def find_torchrun(programs: str) -> tuple[str, ...]:
    """Shell lines that set `home` to a folder of programs, and exit unless torchrun is installed there."""
    return (
        f"home={programs}",
        *exit_unless('-x "$home/env/bin/torchrun"', "no $home/env: see the comments at the top of this script"),
    )


def local_folder(blueprint: SlurmBlueprint, group: SlurmGroup) -> str | None:
    """The node's NVMe disks, if it has any."""
    return blueprint.environment.scratch if group.node.hardware.nvme_gb else None


def folder_mounts(*folders: str | None) -> str:
    """The mounts of a container: these folders, at the same paths as outside."""
    return ",".join(f"{each}:{each}" for each in folders if each)


_ECR = ".dkr.ecr."


def mpi_hook(blueprint: SlurmBlueprint) -> tuple[str, ...]:
    """Commands that a user runs once for `srun --mpi=pmix`: Enroot's hook is not enabled by default."""
    own = blueprint.environment.enroot
    return (
        f"mkdir -p {own}/hooks.d",
        f"ln -sf /usr/share/enroot/hooks.d/50-slurm-pmi.sh {own}/hooks.d/   # MPI in containers (PMIx)",
    )


_PATH = ("/", "./")


@dataclass(frozen=True, slots=True)
class Container:
    """An image as a file, and the folders of the node that are mounted in the container."""

    file: str
    """``/fsx/images/nccl-tests.sqsh``."""
    imports: tuple[str, ...]
    """Shell lines that create the file; none if it is the user's own file."""
    mounts: str
    notes: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """The options of `srun`."""
        return (
            '--container-image="$image"',
            *((f"--container-mounts={shlex.quote(self.mounts)}",) if self.mounts else ()),
        )

    @property
    def found(self) -> tuple[str, ...]:
        """Shell lines that set the image's file and check that it exists."""
        return (
            f"image={shlex.quote(self.file)}",
            *exit_unless('-e "$image"', "no image $image: see the comments at the top of this script"),
        )


def container_for(
    blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions, name: str, reference: str | None, folder: str | None
) -> Container | None:
    """The container for a job; None if the stack runs jobs without containers.

    Args:
        blueprint: the cluster.
        group: the group of the workers.
        ask: the options, which may set an image.
        name: the name of the image, or of the job.
        reference: the public image; None for one of `muster.jobs.images`.
        folder: the mount point of the shared file system, if there is one.

    Raises:
        DoesNotFit: an image is requested, but the nodes cannot run containers; or its name is invalid.
    """
    if ask.image is not None and (not ask.image or any(map(str.isspace, ask.image))):
        # The comments of the script also contain it: a second line would be a command.
        raise DoesNotFit(
            f"--image '{' '.join(ask.image.split())}': the name of an image is not empty and has no spaces"
        )
    installed, here = blueprint.has_pyxis(group), blueprint.environment
    if not installed and ask.image is None:
        return None
    if installed is False:
        raise DoesNotFit(
            f"--image {ask.image}: the nodes cannot run containers; {here.containers_if}, or leave out --image"
        )
    notes: tuple[str, ...] = ()
    if installed is None:
        notes = (f"the script needs Pyxis and Enroot, and Muster does not know whether {here.software} has them",)
    mounts = folder_mounts(folder, local_folder(blueprint, group))
    if ask.image is not None and (ask.image.startswith(_PATH) or ask.image.endswith(".sqsh")):
        # Pyxis recognizes a file by its slash: a bare name would be an image of Docker Hub.
        return Container(ask.image if ask.image.startswith(_PATH) else f"./{ask.image}", (), mounts, notes)
    file = f"{program_folder(blueprint, folder)}/images/{name}.sqsh"
    image = ask.image or reference
    made = _import(file, image, here.enroot) if image else _built(blueprint, name, file)
    if not image and not here.has_docker:
        notes += (f"no command of the script creates the image {file}: give {images.image_option(blueprint, name)}",)
    return Container(file, (f"mkdir -p {shlex.quote(file.rpartition('/')[0])}", *made), mounts, notes)


def enroot(reference: str) -> str:
    """An image's reference in Enroot's format: ``public.ecr.aws#hpc-cloud/nccl-tests:TAG``."""
    registry, slash, rest = reference.removeprefix("docker://").partition("/")
    is_registry = slash and ("." in registry or ":" in registry or registry == "localhost")
    return f"{registry}#{rest}" if is_registry else reference.removeprefix("docker://")


def _import(file: str, reference: str, own: str) -> tuple[str, ...]:
    """Commands that import an image of a registry; for ECR, with the password, which Enroot requests at each import."""
    uri = enroot(reference)
    host = uri.partition("#")[0]
    if _ECR not in host:
        return (f"enroot import --output {shlex.quote(file)} {shlex.quote(f'docker://{uri}')}",)
    region = host.partition(_ECR)[2].partition(".")[0]
    password = f"$(aws ecr get-login-password --region {region})"
    return (
        f"mkdir -p {own}",
        f"grep -qs 'machine {host} ' {own}/.credentials ||",
        f"  echo 'machine {host} login AWS password {password}' >> {own}/.credentials",
        f"enroot import --output {shlex.quote(file)} {shlex.quote(f'docker://AWS@{uri}')}",
    )


def _built(blueprint: SlurmBlueprint, name: str, file: str) -> tuple[str, ...]:
    """Commands for an image that its user builds: on the head node, or elsewhere."""
    if blueprint.environment.has_docker:
        dockerfile = f"{name}.Dockerfile"
        return (
            f"docker build --tag {name} - < {dockerfile}   # printed by: muster image {name} > {dockerfile}",
            f"enroot import --output {shlex.quote(file)} dockerd://{name}:latest",
        )
    # The address is unknown before the deployment: lines with a placeholder account would add a machine with that name
    # to the user's passwords.
    of = "" if blueprint.described.registry is None else f" --stack {blueprint.stack}"
    where = blueprint.environment.submit_on.capitalize()
    return (f"({where} has no Docker: build it elsewhere with muster image {name}{of}, push it, and set --image.)",)


INTERFACES = {"NCCL_SOCKET_IFNAME": "^docker,lo,veth"}
"""The interfaces of the first connections of processes: all except the loopback and those of Docker, which nodes with
EFA may also have (awsome-distributed-training, `nccl-tests-ami.sbatch`). There is no list of interfaces, because their
names depend on type and operating system, and selecting one of several breaks the ring (the same,
`architectures/aws-pcs`)."""

PLUGIN = (
    "/opt/aws-ofi-nccl/lib",
    "/opt/amazon/ofi-nccl/lib",
    "/opt/amazon/ofi-nccl/lib64",
    "/opt/amazon/ofi-nccl/lib/x86_64-linux-gnu",
    "/opt/amazon/efa/lib",
    "/opt/amazon/efa/lib64",
)
"""The folders of NCCL's plugin for EFA and of libfabric, on nodes that run a job without a container: the user's plugin
from AWS's post-install script `nccl`, then those of EFA's installer on Ubuntu or Amazon Linux."""

NCCL_AND_MPI = (
    "/opt/nccl/build/lib",
    *PLUGIN,
    "/opt/amazon/openmpi/lib",
    "/opt/amazon/openmpi/lib64",
    "/usr/local/cuda/lib64",
)
"""The same with NCCL, Open MPI and CUDA, for programs built on the nodes. Not for PyTorch, whose packages contain their
own NCCL and CUDA: the nodes' libraries would replace them."""


def library_path(libraries: tuple[str, ...]) -> str:
    """The shell line that puts these folders before the user's own."""
    return f'export LD_LIBRARY_PATH="{":".join(libraries)}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"'


def fork_variables(blueprint: SlurmBlueprint) -> dict[str, str]:
    """The environment of a process that uses EFA and forks, for example with data loaders.

    It disables huge pages: a fork of a process that holds huge pages fails if no more are free (efa-cheatsheet.md).
    """
    old = {"FI_EFA_FORK_SAFE": "1"} if blueprint.environment.old_kernel else {}
    return {"FI_EFA_USE_HUGE_PAGE": "0", **old}
