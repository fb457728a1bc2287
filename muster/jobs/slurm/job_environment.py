"""The container, folders and environment variables of a job's processes on ParallelCluster's nodes."""

import shlex
from dataclasses import dataclass

from muster.blueprint.derive.slurm import APPS, SCRATCH
from muster.blueprint.slurm import SlurmBlueprint, SlurmGroup
from muster.config.description.slurm_cluster import Os
from muster.config.description.slurm_nodes import PostInstall, Software
from muster.jobs import images, job_metadata
from muster.jobs.group_selection import DoesNotFit
from muster.jobs.job_options import JobOptions
from muster.jobs.slurm.batch_script import exit_unless

TEMPORARY = "/tmp"  # noqa: S108  (on a node that has no disks of its own)


def shared_folder(blueprint: SlurmBlueprint, ask: JobOptions) -> str:
    """The mount point of the requested file system, else of the only one.

    Raises:
        DoesNotFit: there is none, or there are several.
    """
    return f"/{job_metadata.chosen_file_system(blueprint, ask)}"


def optional_shared_folder(blueprint: SlurmBlueprint, ask: JobOptions) -> str | None:
    """The same, of a job that can do without: None where the cluster has no file system.

    Raises:
        DoesNotFit: the requested one is not there, or there are several.
    """
    return shared_folder(blueprint, ask) if blueprint.storage or ask.storage is not None else None


def program_folder(folder: str | None) -> str:
    """Where images and programs are: the file system, else what the head node exports."""
    return folder or f"/{APPS}"


def local_folder(group: SlurmGroup) -> str | None:
    """The node's own NVMe disks, where it has any."""
    return SCRATCH if group.node.hardware.nvme_gb else None


def folder_mounts(*folders: str | None) -> str:
    """Of a container: these, each where it is outside."""
    return ",".join(f"{each}:{each}" for each in folders if each)


_OWN = "~/.config/enroot"
"""A user's settings of Enroot, as AWS's post-install script has them; /home is the same on every node."""

_ECR = ".dkr.ecr."

MPI_HOOK = (
    f"mkdir -p {_OWN}/hooks.d",
    f"ln -sf /usr/share/enroot/hooks.d/50-slurm-pmi.sh {_OWN}/hooks.d/   # MPI in containers (PMIx)",
)
"""What a user does for `srun --mpi=pmix`, once: the hook is Enroot's own, and is not enabled by default."""

_PATH = ("/", "./")


@dataclass(frozen=True, slots=True)
class Container:
    """An image as a file, and what of the node is seen inside."""

    file: str
    """``/fsx/images/nccl-tests.sqsh``."""
    imports: tuple[str, ...]
    """Shell lines that make the file; none where it is the user's own."""
    mounts: str
    notes: tuple[str, ...] = ()

    @property
    def options(self) -> tuple[str, ...]:
        """Of `srun`."""
        return (
            '--container-image="$image"',
            *((f"--container-mounts={shlex.quote(self.mounts)}",) if self.mounts else ()),
        )

    @property
    def found(self) -> tuple[str, ...]:
        """Shell lines: the image's file, which is there."""
        return (
            f"image={shlex.quote(self.file)}",
            *exit_unless('-e "$image"', "there is no image $image: the head of this script says how to make it"),
        )


def container_for(
    blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions, name: str, reference: str | None, folder: str | None
) -> Container | None:
    """The container for a job; None where the stack runs jobs as they are.

    Args:
        blueprint: the cluster.
        group: the group of the workers.
        ask: perhaps with an image.
        name: the image's, or the job's.
        reference: the public image; None for one of `muster.jobs.images`.
        folder: where the shared file system is, if there is one.

    Raises:
        DoesNotFit: an image is requested, and nothing runs containers; or it is none.
    """
    if ask.image is not None and (not ask.image or any(map(str.isspace, ask.image))):
        # It is in the head of the script, too: a second line of it would be a command.
        raise DoesNotFit(f"--image '{' '.join(ask.image.split())}': an image has a name, without blanks; write it so")
    installed = has_pyxis(blueprint, group)
    own_image = blueprint.described.image
    if not installed and ask.image is None:
        return None
    if not installed and own_image is None:
        raise DoesNotFit(
            f"--image {ask.image}: nothing on the nodes runs containers; "
            "add `post-install: {install: [docker, pyxis]}`, or leave it out"
        )
    notes: tuple[str, ...] = ()
    if not installed:
        notes = (f"whether {own_image} has Pyxis and Enroot is not known here; the script needs them",)
    mounts = folder_mounts(folder, local_folder(group))
    if ask.image is not None and (ask.image.startswith(_PATH) or ask.image.endswith(".sqsh")):
        # Pyxis takes a file by its slash: a bare name would be an image of Docker Hub's.
        return Container(ask.image if ask.image.startswith(_PATH) else f"./{ask.image}", (), mounts, notes)
    file = f"{program_folder(folder)}/images/{name}.sqsh"
    image = ask.image or reference
    made = _import(file, image) if image else _built(blueprint, name, file)
    if not image and not _has_docker(blueprint):
        notes += (f"nothing brings the image {file} yet: give {images.image_option(blueprint, name)}",)
    return Container(file, (f"mkdir -p {shlex.quote(file.rpartition('/')[0])}", *made), mounts, notes)


def has_pyxis(blueprint: SlurmBlueprint, group: SlurmGroup) -> bool:
    """Whether the stack installs Pyxis, on the head node and on the group's."""
    described = blueprint.described
    return all(
        _installs(own or described.post_install, Software.PYXIS)
        for own in (described.head.post_install, described.queues[group.queue].post_install)
    )


def enroot(reference: str) -> str:
    """An image's reference in Enroot's form: ``public.ecr.aws#hpc-cloud/nccl-tests:TAG``."""
    registry, slash, rest = reference.removeprefix("docker://").partition("/")
    is_registry = slash and ("." in registry or ":" in registry or registry == "localhost")
    return f"{registry}#{rest}" if is_registry else reference.removeprefix("docker://")


def _has_docker(blueprint: SlurmBlueprint) -> bool:
    """Whether images are built on the head node."""
    return _installs(blueprint.described.head.post_install or blueprint.described.post_install, Software.DOCKER)


def _installs(post_install: PostInstall | None, software: Software) -> bool:
    return post_install is not None and software in post_install.install


def _import(file: str, reference: str) -> tuple[str, ...]:
    """Of a registry's image; of ECR's with the password, which Enroot asks for anew at each import."""
    uri = enroot(reference)
    host = uri.partition("#")[0]
    if _ECR not in host:
        return (f"enroot import --output {shlex.quote(file)} {shlex.quote(f'docker://{uri}')}",)
    region = host.partition(_ECR)[2].partition(".")[0]
    password = f"$(aws ecr get-login-password --region {region})"
    return (
        f"mkdir -p {_OWN}",
        f"grep -qs 'machine {host} ' {_OWN}/.credentials ||",
        f"  echo 'machine {host} login AWS password {password}' >> {_OWN}/.credentials",
        f"enroot import --output {shlex.quote(file)} {shlex.quote(f'docker://AWS@{uri}')}",
    )


def _built(blueprint: SlurmBlueprint, name: str, file: str) -> tuple[str, ...]:
    """An image that its user builds: on the head node, or elsewhere."""
    if _has_docker(blueprint):
        dockerfile = f"{name}.Dockerfile"
        return (
            f"docker build --tag {name} - < {dockerfile}   # printed by: muster image {name} > {dockerfile}",
            f"enroot import --output {shlex.quote(file)} dockerd://{name}:latest",
        )
    # The address is not known before the stack is up: lines with a made-up account would leave a machine of that name
    # among the user's passwords.
    of = "" if blueprint.described.registry is None else f" --stack {blueprint.stack}"
    return (
        f"(No Docker on the head node: build it elsewhere, muster image {name}{of}; push it, and give it as --image.)",
    )


INTERFACES = {"NCCL_SOCKET_IFNAME": "^docker,lo,veth"}
"""The interfaces that processes first meet by: any but Docker's, which EFA's nodes have too, and the loopback
(awsome-distributed-training, `nccl-tests-ami.sbatch`). None is named: the nodes' own are called otherwise on each type
and operating system, and naming one of several breaks the ring (the same, `architectures/aws-pcs`)."""

PLUGIN = (
    "/opt/aws-ofi-nccl/lib",
    "/opt/amazon/ofi-nccl/lib",
    "/opt/amazon/ofi-nccl/lib64",
    "/opt/amazon/ofi-nccl/lib/x86_64-linux-gnu",
    "/opt/amazon/efa/lib",
    "/opt/amazon/efa/lib64",
)
"""Where NCCL's plugin for EFA and libfabric are, on nodes that run a job as it is: a plugin of one's own as AWS's
post-install script `nccl` has it, the rest as EFA's installer has it on Ubuntu or Amazon Linux."""

NCCL_AND_MPI = (
    "/opt/nccl/build/lib",
    *PLUGIN,
    "/opt/amazon/openmpi/lib",
    "/opt/amazon/openmpi/lib64",
    "/usr/local/cuda/lib64",
)
"""The same with NCCL, Open MPI and CUDA: for programs built on the nodes. Not for PyTorch, whose packages have an NCCL
and CUDA of their own: the nodes' would be loaded in their place."""


def library_path(libraries: tuple[str, ...]) -> str:
    """The shell line that has them looked through before the user's own."""
    return f'export LD_LIBRARY_PATH="{":".join(libraries)}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}"'


_OLD_KERNELS = frozenset({Os.RHEL8, Os.RHEL9, Os.ROCKY8, Os.ROCKY9})
"""4.18 and 5.14: a process that forks keeps its EFA memory only since 5.15 (efa-cheatsheet.md)."""


def fork_variables(blueprint: SlurmBlueprint) -> dict[str, str]:
    """Of a process that uses EFA and forks, as one with data loaders does.

    Without huge pages: a fork of a process that holds some fails where there are no more of them (efa-cheatsheet.md).
    """
    old = {"FI_EFA_FORK_SAFE": "1"} if blueprint.described.os in _OLD_KERNELS else {}
    return {"FI_EFA_USE_HUGE_PAGE": "0", **old}
