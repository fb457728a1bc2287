"""Reads a stack by reference, in a Pulumi program of another team. Pulumi is loaded inside the functions alone."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from muster.contract.blocks import SECRETS, NotTheContract, Stack
from muster.contract.hyperpod_slurm import HyperPodSlurmCluster
from muster.contract.kubernetes import Cluster
from muster.contract.parallelcluster import SlurmCluster
from muster.contract.pcs import PcsCluster

if TYPE_CHECKING:
    from pulumi import Output

_Form = TypeVar("_Form", bound=Stack)


class Readable(Protocol):
    """What outputs are read from: a `pulumi.StackReference`, or whatever answers like one."""

    def get_output(self, name: str) -> "Output[Any]":
        """One output, None where there is none of that name."""


def read_cluster(stack: Readable) -> "Output[Cluster]":
    """Reads a stack with a Kubernetes cluster by reference, without its kubeconfig.

    An output made of all outputs would be as secret as the most secret of them, and so would be whatever follows from
    it: so the kubeconfig stays behind (`read_kubeconfig`), and nothing here is a secret unless that stack makes it one.
    In a preview a stack's outputs are those of its last `up`.

    Args:
        stack: a `pulumi.StackReference`.

    Raises:
        pulumi.RunError: when the program runs, where the outputs are not of this contract; the message says whose they
            are, and what is missing or of another form.
    """
    return _read(Cluster, stack)


def read_slurm_cluster(stack: Readable) -> "Output[SlurmCluster]":
    """Reads a stack with a Slurm cluster by reference, as `read_cluster` reads one with Kubernetes."""
    return _read(SlurmCluster, stack)


def read_pcs_cluster(stack: Readable) -> "Output[PcsCluster]":
    """Reads a stack with a Slurm cluster on AWS PCS by reference, as `read_cluster` reads one with Kubernetes."""
    return _read(PcsCluster, stack)


def read_hyperpod_slurm_cluster(stack: Readable) -> "Output[HyperPodSlurmCluster]":
    """Reads a stack with a HyperPod cluster with Slurm by reference, as `read_cluster` reads one with Kubernetes."""
    return _read(HyperPodSlurmCluster, stack)


def read_kubeconfig(stack: Readable) -> "Output[str]":
    """Reads a stack's kubeconfig, which stays a secret: JSON, as `pulumi_kubernetes.Provider` takes it.

    Args:
        stack: a `pulumi.StackReference`.

    Raises:
        pulumi.RunError: when the program runs, where there is none.
    """
    from pulumi import Output

    read: Output[str] = Output.all(
        stack=_name(stack), backend=stack.get_output("backend"), kubeconfig=stack.get_output("kubeconfig")
    ).apply(lambda given: _required(given["kubeconfig"], given["backend"], given["stack"]))
    return Output.secret(read)


def _name(stack: Readable) -> Any:
    return getattr(stack, "name", "")


def _read(form: type[_Form], stack: Readable) -> "Output[_Form]":
    from pulumi import Output

    fields = {info.alias or name for name, info in form.model_fields.items()}
    names = sorted({*fields, "addonsOf"} - SECRETS)
    read: Output[_Form] = Output.all(
        stack=_name(stack), outputs=Output.all(**{name: stack.get_output(name) for name in names})
    ).apply(lambda given: _model(form, given["outputs"], given["stack"]))
    return read


def _model(form: type[_Form], outputs: Mapping[str, Any], stack: str) -> _Form:
    from pulumi import RunError

    try:
        return form.read(outputs, stack)
    except NotTheContract as fault:
        raise RunError(str(fault)) from None


def _required(kubeconfig: Any, backend: Any, stack: str) -> str:
    from pulumi import RunError

    if isinstance(kubeconfig, str):
        return kubeconfig
    if other := Cluster.other_form(backend):
        raise RunError(f"stack '{stack}' {other}")
    raise RunError(
        f"stack '{stack}' has no output 'kubeconfig': it is not deployed yet, or it is not a stack of Muster"
    )
