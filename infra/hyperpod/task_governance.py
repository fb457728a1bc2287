"""The quotas of teams in HyperPod's task governance.

They come after the add-on `amazon-sagemaker-hyperpod-taskgovernance`: a policy that is created before the add-on is
complete fails with `CreateFailed` (aws/sagemaker-hyperpod-cli at 011ca92, `examples/end_to_end_walkthrough`,
`00-setup.md`).
"""

from collections.abc import Sequence

import pulumi

from muster.blueprint.hyperpod.task_governance import compute_quota_request
from muster.blueprint.kubernetes import Blueprint
from muster.infra.component import Component
from muster.infra.hyperpod.cluster import HyperPod, snake_case


class TaskGovernance(Component):
    """A `ComputeQuota` for each team."""

    def __init__(
        self,
        blueprint: Blueprint,
        cluster: HyperPod,
        needed: Sequence[pulumi.Resource],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        """Registers them.

        Args:
            blueprint: of a cluster on HyperPod with quotas.
            cluster: the HyperPod cluster.
            needed: the add-on of task governance, if the stack installs it.
            opts: resource options.
        """
        assert blueprint.hyperpod is not None, "only a cluster on HyperPod has quotas"
        super().__init__("task-governance", opts)
        import pulumi_aws_native as native  # noqa: PLC0415 - a stack without HyperPod never loads it

        for quota in blueprint.hyperpod.quotas:
            native.sagemaker.ComputeQuota(
                quota.ref.name,
                **snake_case(compute_quota_request(quota, blueprint, cluster.arn)),
                # Its name is unique in the cluster: there are never two of it.
                opts=self.below(provider=cluster.native, depends_on=[*needed], delete_before_replace=True),
            )
        self.register_outputs({})
