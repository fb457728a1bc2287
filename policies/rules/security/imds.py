"""The instance metadata service."""

from collections.abc import Iterator

from pydantic import Field

from muster.finding import Level
from muster.fleet.resources import Fleet, LaunchTemplate
from muster.unknown import UNKNOWN
from policies.engine.options import Options
from policies.engine.rule import Rule, Severity, Verdict, rule


@rule(
    "imds-v2-required",
    title="A launch template requires IMDSv2",
    judges=LaunchTemplate,
    why="With IMDSv1 whatever can be made to fetch an address hands the node's credentials out: a notebook, an "
    "inference server, a proxy. What a template leaves out the image and the account's default decide, and no plan "
    "shows either.",
    source="AWS Config rules, ec2-launch-template-imdsv2-check; AWS Control Tower controls, CT.EC2.PR.1",
    remedy="Say httpTokens required under metadataOptions.",
    facts=("aws-controls#ec2-launch-template-imdsv2-check",),
)
def imds_v2_required(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if template.http_tokens is UNKNOWN:
        yield rule.unjudged(template.place, "metadataOptions.httpTokens, not known before creation")
    elif template.http_tokens != "required":
        tokens = (
            "says nothing of httpTokens"
            if template.http_tokens is None
            else f"takes IMDSv1, too (httpTokens {template.http_tokens})"
        )
        yield rule.finding(template.place, tokens, "say httpTokens: required under its metadataOptions")


class Hops(Options):
    """How many network hops an answer may take."""

    hops: int = Field(
        default=1,
        ge=1,
        le=64,
        description="1 keeps pods with a network of their own out; 2 lets them in, for programs that know no Pod "
        "Identity.",
    )


@rule(
    "imds-out-of-pods",
    title="Pods do not reach the instance metadata service",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=LaunchTemplate,
    why="A hop limit of 2 or more lets any pod act as its node: pull images, describe the account, join the cluster. "
    "Pods have roles of their own by Pod Identity, and daemons that need the node's use its network.",
    source="AWS Control Tower controls, CT.EC2.PR.2; EKS best practices guide, Security, Identity and access "
    "management",
    remedy="Say httpPutResponseHopLimit 1, and give pods that need rights a role of their own.",
    facts=("aws-controls#CT.EC2.PR.2",),
    options=Hops,
)
def imds_out_of_pods(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if template.http_tokens not in ("required", UNKNOWN):
        return  # IMDSv1 counts no hops: imds-v2-required reports it
    most = Hops.of(rule.settings).hops
    if template.hop_limit is UNKNOWN:
        yield rule.unjudged(template.place, "metadataOptions.httpPutResponseHopLimit, not known before creation")
    elif template.hop_limit is None:
        got = "says no hop limit: the image decides, and Amazon Linux 2023 says 2"
        yield rule.finding(template.place, got, f"say httpPutResponseHopLimit: {most}")
    elif template.hop_limit > most:
        got = f"a hop limit of {template.hop_limit}: pods reach the node's credentials"
        yield rule.finding(template.place, got, f"say httpPutResponseHopLimit: {most}, and give such pods a role")
