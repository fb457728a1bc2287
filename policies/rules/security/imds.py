"""The instance metadata service."""

from collections.abc import Iterator

from pydantic import Field

from muster.edits import set_to
from muster.fleet.resources import ControlPlane, Fleet, LaunchTemplate
from muster.fleet.resources.fleet import has_efa, may_train
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import NotKnown, stored


class Hops(Options):
    """The network hops that an answer may take."""

    hops: int = Field(
        default=1,
        ge=1,
        le=64,
        description="Highest hop limit. With 1, pods that do not use the node's network cannot reach the service. With "
        "2 they can, for programs that do not support Pod Identity.",
    )


def imds_out_of_pods(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not _belongs_to_training(template, fleet):
        return
    most = Hops.of(rule.settings).hops
    in_cluster = template.joins_kubernetes or any(fleet.groups_of(template)) or any(fleet.of(ControlPlane))
    if not in_cluster:
        # They may be instances of another service, such as AWS PCS or AWS Batch, which runs no pods.
        if template.hop_limit is None or template.hop_limit > most:
            raise NotKnown("whether pods run on the instances of the launch template")
        return
    if template.http_tokens != "required":
        got = "the template does not require IMDSv2, and IMDSv1 counts no hops: pods reach the node's credentials"
        yield rule.finding(template, "metadataOptions.httpTokens", got=got, change=set_to("required"))
    elif template.hop_limit is None or template.hop_limit > most:
        got = "the launch template sets no hop limit, so the image decides (Amazon Linux 2023 sets 2)"
        if template.hop_limit is not None:
            got = f"the hop limit is {template.hop_limit}, so pods can reach the node's credentials"
        yield rule.finding(template, "metadataOptions.httpPutResponseHopLimit", got=got, change=set_to(most))


def _belongs_to_training(template: LaunchTemplate, fleet: Fleet) -> bool:
    """Whether a node group uses the template, or its own instances train: a program of another team has others, too."""
    if not fleet.has_training:
        return False
    return any(fleet.groups_of(template)) or may_train(stored(template, "instance")) or has_efa(template)
