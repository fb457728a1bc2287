"""SSM parameters of images."""

from collections.abc import Iterator, Mapping

from muster.edits import Remedy, set_to
from muster.fleet.resources import Fleet, LaunchTemplate, NodeGroup
from muster.hardware.ami import AL2, AMI_TYPES, RESOLVED_BY_EC2, ami_type_of_parameter, image_parameter
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.launch_templates import template_of
from muster.policies.lookups.machines import kubernetes_of
from muster.policies.lookups.versions import is_offered
from muster.unknown import NotKnown, if_known


def image_parameter_exists(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if (not group.managed and fleet.facts is None) or group.pool is not None:
        return  # only AWS knows whether a parameter exists; Karpenter names none
    template = template_of(group, fleet)
    image = template.image if template else None
    if group.managed and template and image and image.startswith(RESOLVED_BY_EC2):
        yield _named_by_template(group, template, image.removeprefix(RESOLVED_BY_EC2), rule)
    elif fleet.facts:
        yield from _exists(group, image, fleet, fleet.facts.image_parameters, rule)


def _exists(
    group: NodeGroup, image: str | None, fleet: Fleet, known: Mapping[str, str | None], rule: Rule
) -> Iterator[Verdict]:
    """Whether EKS has an image of the group's version, accelerator and architecture."""
    version = if_known(lambda: kubernetes_of(group, fleet))  # other rules report that it is not known
    path = image_parameter(image, group.ami_type, version, managed=group.managed)
    named = ami_type_of_parameter(path or "")
    # EKS no longer has that version, or Amazon Linux 2 for it: other rules report it.
    gone = named is not None and (AMI_TYPES[named[0]].system == AL2 or not is_offered(named[1], fleet))
    if path is None or gone:
        return
    if path not in known and facts_observed(fleet):
        raise NotKnown(fleet.missing(f"whether the image parameter {path} exists"))
    if known.get(path, path) is None:
        got = f"{fleet.region or 'the Region'} has no SSM parameter {path}"
        yield rule.finding(group, "image", got=got, change=_change(path, fleet, group, named[1] if named else None))


def _change(path: str, fleet: Fleet, group: NodeGroup, version: str | None) -> Remedy:
    if group.managed:
        return f"use another Kubernetes version than {version}, another image or a custom image"
    region = f" --region {fleet.region}" if fleet.region else ""
    above = path.rsplit("/", 2)[0]
    listing = f"get-parameters-by-path --recursive --path {above}{region}" if version else "describe-parameters"
    return set_to(words=f"a parameter that `aws ssm {listing}` lists", at="image.custom.ssm")


def _named_by_template(group: NodeGroup, template: LaunchTemplate, path: str, rule: Rule) -> Verdict:
    change = set_to(words=f"the id that `aws ssm get-parameter --name {path}` prints", at="image.custom.id")
    got = f"EKS cannot read the image's SSM parameter {path}"
    return rule.finding(template, "image", got=got, change=change, place=group.place)
