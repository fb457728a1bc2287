"""The container that a job runs in, by Pyxis and Enroot: its image as a file that all nodes see.

A file, and no registry's reference: each node would pull that one for itself. Inside, variables that the image sets win
over those of the job (Pyxis).

Verified in documents, not tried: `enroot import` and passwords for it (NVIDIA/enroot, `doc/cmd/import.md`), hooks of
one's own (`doc/configuration.md`), the hook for PMIx (NVIDIA/pyxis, wiki "Setup"). AWS's post-install script enables
that hook for ParallelCluster up to 3.11 alone (aws-parallelcluster-post-install-scripts, `pyxis/postinstall.sh`).
"""

import shlex
from dataclasses import dataclass

from muster.fleet.description.post_install import PostInstall, Software
from muster.fleet.slurm_blueprint import SlurmBlueprint, SlurmGroup
from muster.jobs import images
from muster.jobs.ask import Ask
from muster.jobs.fit import DoesNotFit
from muster.jobs.slurm import folders
from muster.jobs.slurm.shell import stop_without

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
            *stop_without('-e "$image"', "there is no image $image: the head of this script says how to make it"),
        )


def container(
    blueprint: SlurmBlueprint, group: SlurmGroup, ask: Ask, name: str, reference: str | None, folder: str | None
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
        DoesNotFit: an image is asked for, and nothing runs containers; or it is none.
    """
    if ask.image is not None and (not ask.image or any(map(str.isspace, ask.image))):
        # It stands in the head of the script, too: a second line of it would be a command.
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
    mounts = folders.mounts(folder, folders.local(group))
    if ask.image is not None and (ask.image.startswith(_PATH) or ask.image.endswith(".sqsh")):
        # Pyxis takes a file by its slash: a bare name would be an image of Docker Hub's.
        return Container(ask.image if ask.image.startswith(_PATH) else f"./{ask.image}", (), mounts, notes)
    file = f"{folders.of_programs(folder)}/images/{name}.sqsh"
    said = ask.image or reference
    made = _import(file, said) if said else _built(blueprint, name, file)
    if not said and not _has_docker(blueprint):
        notes += (f"nothing brings the image {file} yet: give {images.given(blueprint, name)}",)
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
    # Where it is before the stack is up nobody knows: lines with a made-up account would leave a machine of that name
    # among the user's passwords.
    of = "" if blueprint.described.registry is None else f" --stack {blueprint.stack}"
    return (
        f"(No Docker on the head node: build it elsewhere, muster image {name}{of}; push it, and give it as --image.)",
    )
