"""What the facts of an account say of networks, file systems and quotas, and what an ARN names."""

from collections.abc import Mapping

from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import Fleet, LustreFileSystem, Subnet
from muster.hardware.lustre import LUSTRE


def facts_observed(fleet: Fleet) -> bool:
    """Whether AWS stated the facts: what is then missing is unanswered. A person's facts are what that person
    thought of, and leave open what they omit."""
    return fleet.facts is not None and fleet.facts.observed is not None


def vpc_of(fleet: Fleet) -> ResourceReference | None:
    """The VPC that the description names; None where it makes one, or there is no description."""
    return next((each for each in fleet.named if each.kind is ResourceKind.VPC), None)


def subnet_facts_expected(subnet: Subnet, fleet: Fleet) -> bool:
    """Whether AWS was to say something of a subnet: it exists, and is filled in."""
    there = not (subnet.created or fleet.gone(ResourceKind.SUBNET, subnet.id))
    return there and facts_observed(fleet) and not any(each.id == subnet.id and each.blank for each in fleet.named)


def is_no_lustre(system: LustreFileSystem, fleet: Fleet) -> bool:
    """Whether AWS says that there is no such file system, or one of another type: `named-things-exist` says so, or
    `lustre-usable`, and no other rule asks anything of it."""
    return fleet.gone(ResourceKind.FILE_SYSTEM, system.id) or fleet.file_system_facts(system.id).type not in {
        None,
        LUSTRE,
    }


def used_by_others(used: Mapping[str, int] | None, quota: str, fleet: Fleet) -> int | None:
    """What others use of one quota; None where AWS was queried and did not answer. Without a query it is 0: a person
    writes down what there is to write.

    Args:
        used: the facts about it: by code, or by name.
        quota: which.
        fleet: whose facts they are.
    """
    return (used or {}).get(quota, None if facts_observed(fleet) else 0)


def unknown_use(quota: str, allowed: int, wanted: int, fleet: Fleet) -> str:
    """The text where it is not known.

    Args:
        quota: in words.
        allowed: its value.
        wanted: what the stack alone takes of it.
        fleet: what is judged.
    """
    return fleet.missing(f"how much of quota {quota} others use: it allows {allowed}, and {wanted} are wanted here")


_PARTS = 6


def region_in(reference: object) -> str:
    """The Region in an ARN, "" where it is none."""
    return _part(3, reference)


def account_in(reference: object) -> str:
    """The account in an ARN, "" where it is none, or has none (a bucket's)."""
    return _part(4, reference)


def _part(number: int, reference: object) -> str:
    parts = str(reference).split(":")
    return parts[number] if parts[0] == "arn" and len(parts) >= _PARTS else ""
