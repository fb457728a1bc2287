"""The version of the instance metadata service."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule


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
        said = (
            "says nothing of httpTokens"
            if template.http_tokens is None
            else f"takes IMDSv1, too (httpTokens {template.http_tokens})"
        )
        yield rule.finding(template.place, said, "say httpTokens: required under its metadataOptions")
