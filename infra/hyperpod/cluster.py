"""The HyperPod cluster: SageMaker's machines, as nodes of the EKS cluster."""

import re
from collections.abc import Mapping
from typing import Any

import pulumi

from infra.component import Component, tags
from infra.hyperpod.provider import native_provider
from muster.fleet.blueprint import Blueprint
from muster.fleet.hyperpod.definition import Given, definition

_PEOPLES = frozenset({"Labels"})
"""Maps whose keys are not the API's words."""


class HyperPodCluster(Component):
    """One cluster with all of its instance groups.

    SageMaker says that it is there when every group has come, or failed; Cloud Control waits for that twelve hours and
    nothing here could make it longer or shorter. A new name, network or EKS cluster makes it anew, the old one first:
    an EKS cluster takes one HyperPod cluster. Groups change in it. What AWS changes in no group that runs (its network,
    its key, its type) SageMaker refuses; a group of another name has it.
    """

    def __init__(
        self,
        blueprint: Blueprint,
        given: Given,
        depends_on: list[pulumi.Resource],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        assert blueprint.hyperpod is not None, "only a cluster on HyperPod has one"
        derived = blueprint.hyperpod.cluster
        name = derived.ref.name
        super().__init__(name, opts)
        # Here and nowhere else: a stack without HyperPod never loads it.
        import pulumi_aws_native as native

        asked = snake_case(definition(blueprint, given))
        made = native.sagemaker.Cluster(
            name,
            **asked,
            opts=self.below(
                provider=native_provider(blueprint, self.below()),
                depends_on=depends_on,
                # Karpenter's own: what it has added, an `up` does not take back.
                ignore_changes=["instanceGroups[*].instanceCount"] if derived.autoscaler else None,
                delete_before_replace=True,
            ),
        )
        self.arn: pulumi.Output[str] = made.cluster_arn
        self.id: pulumi.Output[str] = made.cluster_arn.apply(lambda arn: arn.rpartition("/")[2])
        """The end of its ARN: what Session Manager and logs know it by."""
        self.register_outputs({"arn": self.arn})


def snake_case(value: Any) -> Any:
    """A request in the API's words as the SDK's arguments: keys of structures renamed, those of maps left alone."""
    if isinstance(value, Mapping):
        return {_renamed(key): inner if key in _PEOPLES else snake_case(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [snake_case(each) for each in value]
    return value


_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _renamed(key: str) -> str:
    return _WORD_BEGINS.sub("_", key).lower()
