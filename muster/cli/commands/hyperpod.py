"""`muster hyperpod`: a HyperPod cluster as input of the AWS CLI."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from muster.cli.options import AsOf, Json, Stack, day

if TYPE_CHECKING:
    from muster.config.description.root import Description

app = typer.Typer(name="hyperpod", no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _hyperpod() -> None:
    """Print the AWS CLI's input for a cluster on SageMaker HyperPod."""


@app.command("config")
def config(
    stack: Stack,
    *,
    as_json: Json = False,  # noqa: ARG001  (the output is always JSON)
    as_of: AsOf = None,
) -> None:
    """Print the input of `aws sagemaker create-cluster` for a stack's HyperPod cluster.

    It is the same request that `pulumi up` sends. Values that only AWS has are variables, such as ${EKS_CLUSTER_ARN};
    stderr explains where each value comes from. To use the output: `muster hyperpod config STACK | envsubst > FILE`,
    then `aws sagemaker create-cluster --region REGION --cli-input-json file://FILE`. The output is always JSON, with or
    without `--json`. If a stack has mandatory findings, the command prints only the findings, on stderr. Needs no AWS
    account.
    """
    from muster import terminal
    from muster.blueprint.hyperpod.create_cluster import definition_with_placeholders
    from muster.blueprint.hyperpod.create_slurm_cluster import slurm_definition_with_placeholders
    from muster.blueprint.hyperpod.slurm import HyperPodSlurmBlueprint
    from muster.cli.stacks import open_stacks, require_backend, require_kubernetes, require_passing
    from muster.cli.writers.json import dump

    opened = open_stacks([stack])[0]
    require_backend(opened, "hyperpod", "hyperpod-slurm")
    blueprint = require_passing(opened, day(as_of))
    if isinstance(blueprint, HyperPodSlurmBlueprint):
        request, sources = slurm_definition_with_placeholders(blueprint)
    else:
        request, sources = definition_with_placeholders(require_kubernetes(blueprint))
    text = dump(request)
    terminal.write(text)
    terminal.complain(
        *(f"${{{name}}}: {source}" for name, source in sources.items()),
        *_blanks(blueprint.described, text),
    )


@app.command("cluster-policy")
def cluster_policy(
    stack: Stack,
    *,
    as_json: Json = False,  # noqa: ARG001  (the output is always JSON)
    as_of: AsOf = None,
) -> None:
    """Print the input of `aws sagemaker create-cluster-scheduler-config` for a stack's task governance.

    It is the cluster policy: priority classes, fair share, and the sharing of unallocated compute. No Pulumi provider
    has it, so `pulumi up` does not create it. Send it after `pulumi up`:
    `muster hyperpod cluster-policy STACK | envsubst > FILE`, then
    `aws sagemaker create-cluster-scheduler-config --region REGION --cli-input-json file://FILE`. The output is always
    JSON, with or without `--json`. Needs no AWS account.
    """
    from muster import terminal
    from muster.blueprint.hyperpod.task_governance import cluster_policy_request, governance_of
    from muster.cli.exits import WrongInput
    from muster.cli.stacks import open_stacks, require_backend, require_kubernetes, require_passing
    from muster.cli.writers.json import dump

    opened = open_stacks([stack])[0]
    require_backend(opened, "hyperpod")
    blueprint = require_kubernetes(require_passing(opened, day(as_of)))
    described = governance_of(blueprint)
    if described is None:
        raise WrongInput(
            f"{stack} has no cluster policy; add hyperpod.task-governance, as in {{priorities: {{training: 70}}}}"
        )
    terminal.write(dump(cluster_policy_request(described, blueprint, "${HYPERPOD_CLUSTER_ARN}")))
    assert blueprint.hyperpod is not None, "only a cluster on HyperPod has a cluster policy"
    cluster = blueprint.hyperpod.cluster.name
    terminal.complain(
        f"${{HYPERPOD_CLUSTER_ARN}}: the ARN of the HyperPod cluster: aws sagemaker describe-cluster --region "
        f"{blueprint.region} --cluster-name {cluster} --query ClusterArn --output text; output hyperpod.arn"
    )


def _blanks(described: "Description", text: str) -> Iterator[str]:
    """The placeholders of the stack file that are in the output."""
    from muster.config.account_references import placeholder_values

    return (f"{value} is a placeholder; set {path}" for path, value in placeholder_values(described) if value in text)
