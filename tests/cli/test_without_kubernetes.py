"""A stack with Slurm has no Kubernetes: every command about it says so, and what to use instead. Never a traceback."""

import pytest

from tests.cli.conftest import Muster
from tests.shared_stacks import ADDONS, CLUSTER, EXAMPLE

IS = "error: pcluster-gpu has backend: parallelcluster, which uses Slurm and not Kubernetes; "
SOFTWARE = "install software with post-install, or in an image (`muster config --image`)"
SEEN = "use `pcluster describe-cluster --region us-west-2 --cluster-name pcluster-gpu`, and `sinfo` on its head node"


@pytest.fixture
def slurm(muster: Muster) -> Muster:
    """The command, with a Slurm stack beside p5-odcr."""
    muster.take("pcluster-gpu")
    return muster


@pytest.mark.parametrize(
    ("command", "instead"),
    [
        (("addons", "pcluster-gpu"), SOFTWARE),
        (
            ("mirror", "pcluster-gpu"),
            "it has no charts; `muster job --image` sets the image of a job",
        ),
        (("verify", "pcluster-gpu"), SEEN),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_to_use_instead(slurm: Muster, command: tuple[str, ...], instead: str) -> None:
    """Before Pulumi or a cluster is asked: neither is here."""
    ran = slurm(*command)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{IS}{instead}\n")


@pytest.mark.parametrize(
    ("stack", "command", "instead"),
    [
        ("hyperpod-slurm-p5", "addons", "lifecycle scripts (hyperpod.lifecycle)"),
        ("hyperpod-slurm-p5", "verify", "`aws sagemaker describe-cluster --region us-west-2"),
        ("pcs-p5", "verify", "`aws pcs get-cluster --region us-west-2"),
    ],
)
def test_each_backend_has_its_own_remedy(muster: Muster, stack: str, command: str, instead: str) -> None:
    muster.take(stack)
    assert instead in muster(command, stack).err


def test_images_are_for_slurm_too(slurm: Muster) -> None:
    """Pyxis runs them from the stack's registry; a stack without one is told to add it."""
    slurm.take("pcluster-p4de-postinstall")
    ran = slurm("image", "pytorch-fsdp", "--stack", "pcluster-p4de-postinstall")
    assert ran.code == 0
    assert ran.err.startswith("registry=$(pulumi stack output registry --stack pcluster-p4de-postinstall)\n")
    ran = slurm("image", "pytorch-fsdp", "--stack", "pcluster-gpu")
    assert (ran.code, ran.err) == (
        2,
        "error: stack 'pcluster-gpu' has no registry; add `registry: {}` to its description\n",
    )


def test_add_ons_of_a_cluster_without_kubernetes(slurm: Muster) -> None:
    """Refused where the cluster is named."""
    text = (EXAMPLE / f"Pulumi.{ADDONS}.yaml").read_text()
    slurm.file(ADDONS).write_text(text.replace(f"muster/{CLUSTER}", "muster/pcluster-gpu"))
    ran = slurm.judged("check", ADDONS)
    assert ran.code == 2
    (line,) = [each for each in text.splitlines() if each.strip().startswith("addons-of:")]
    at = f"{text.splitlines().index(line) + 1}:{line.index('organization') + 1}"
    assert f"stacks/Pulumi.{ADDONS}.yaml:{at}: mandatory schema: " in ran.out
    assert (
        "organization/muster/pcluster-gpu describes a Slurm cluster, which has no Kubernetes\n    fix: write the name "
        "of a stack on eks or hyperpod\n"
    ) in ran.out


def test_outputs_of_a_cluster_without_kubernetes(slurm: Muster) -> None:
    """Where add-ons know their cluster by its outputs: one line, not one for each output that Slurm's stack has not."""
    text = (EXAMPLE / f"Pulumi.{ADDONS}.yaml").read_text()
    slurm.file(ADDONS).write_text(text.replace(f"muster/{CLUSTER}", "muster/elsewhere"))
    slurm.facts({"contract": 1, "outputs": {"contract": 1, "backend": "parallelcluster"}}, ADDONS)
    ran = slurm.judged("check", ADDONS)
    assert ran.code == 2
    (told,) = [line for line in ran.out.splitlines() if ": mandatory " in line]
    assert told.startswith(f"stacks/facts/{ADDONS}.json:")
    assert told.endswith("these are the outputs of a Slurm cluster, which has no Kubernetes")
    assert "    fix: set addons-of to a stack on eks or hyperpod, and write the outputs of that stack here\n" in ran.out
