"""The encryption of nodes' volumes."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.unknown import UNKNOWN


@rule(
    "volumes-encrypted",
    title="Nodes' volumes are encrypted",
    judges=LaunchTemplate,
    why="Checkpoints, data sets and images stay on the disks of nodes. EC2 encrypts a volume only if the template sets "
    "it, or if the account has encryption by default in this Region, which is off unless you turn it on.",
    source="AWS Config rules, ec2-launch-templates-ebs-volume-encrypted; EBS user guide, Encryption by default",
    remedy="Set encrypted: true under ebs for every volume of the template, or turn on encryption by default.",
    facts=("aws-controls#ec2-launch-templates-ebs-volume-encrypted",),
)
def volumes_encrypted(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    by_default = fleet.facts.ebs_encryption_by_default if fleet.facts else None
    if template.root_encrypted is True or by_default:
        return
    if template.root_encrypted is UNKNOWN:
        yield rule.unjudged(
            template.place, "whether the volumes of the launch template are encrypted (known only after `pulumi up`)"
        )
    elif template.root_encrypted is False:
        got = "the launch template has a volume that does not set encrypted: true"
        yield rule.finding(template.place, got, "set encrypted: true under ebs for each volume")
    elif by_default is None:
        missing = "whether the account encrypts volumes by default (the template does not configure the root volume)"
        yield rule.unjudged(template.place, fleet.missing(missing))
    else:
        got = "the template does not configure the root volume, and the account does not encrypt volumes by default"
        yield rule.finding(template.place, got, "add the root volume to blockDeviceMappings, with encrypted: true")
