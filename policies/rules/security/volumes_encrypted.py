"""The encryption of nodes' disks."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Verdict, rule


@rule(
    "volumes-encrypted",
    title="Nodes' volumes are encrypted",
    judges=LaunchTemplate,
    why="Checkpoints, data sets and images stay on the disks of nodes. A volume is encrypted where the template says "
    "so, or where the account encrypts all of this Region by default: that is off until somebody turns it on.",
    source="AWS Config rules, ec2-launch-templates-ebs-volume-encrypted; EBS user guide, Encryption by default",
    remedy="Say encrypted under ebs, of every volume of the template, or turn encryption by default on.",
    facts=("aws-controls#ec2-launch-templates-ebs-volume-encrypted",),
)
def volumes_encrypted(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    by_default = fleet.facts.ebs_encryption_by_default if fleet.facts else None
    if template.root_encrypted is True or by_default:
        return
    if template.root_encrypted is UNKNOWN:
        yield rule.unjudged(template.place, "whether its volumes are encrypted, not known before creation")
    elif template.root_encrypted is False:
        got = "has a volume of which it does not say that it is encrypted"
        yield rule.finding(template.place, got, "say encrypted: true under ebs, of each of its volumes")
    elif by_default is None:
        missing = "whether the account encrypts volumes by default (the template does not describe the root volume)"
        yield rule.unjudged(template.place, fleet.missing(missing))
    else:
        got = "does not describe the root volume, and the account does not encrypt volumes by default"
        yield rule.finding(template.place, got, "describe the root volume with encrypted: true")
