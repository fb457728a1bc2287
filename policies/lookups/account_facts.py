"""What the facts of an account state about networks, file systems and quotas, and what an ARN names."""

from collections.abc import Mapping

from muster.fleet.resource_references import ResourceKind, ResourceReference
from muster.fleet.resources import FileSystem, Fleet, Subnet
from muster.unknown import NotKnown


def facts_observed(fleet: Fleet) -> bool:
    """Whether AWS stated the facts. Then a missing fact is an unanswered query. Facts that a person writes may be
    incomplete: what they omit is unknown."""
    return fleet.facts is not None and fleet.facts.observed is not None


def vpc_of(fleet: Fleet) -> ResourceReference | None:
    """The VPC that the description names; None if Muster creates it, or if there is no description."""
    return next((each for each in fleet.named if each.kind is ResourceKind.VPC), None)


def subnet_facts_expected(subnet: Subnet, fleet: Fleet) -> bool:
    """Whether AWS was queried about a subnet: it exists, and its id is not a placeholder."""
    there = not (subnet.created or fleet.gone(ResourceKind.SUBNET, subnet.id))
    return there and facts_observed(fleet) and not any(each.id == subnet.id and each.blank for each in fleet.named)


def is_of_another_kind(system: FileSystem, fleet: Fleet) -> bool:
    """Whether AWS states that the file system does not exist, or has another type. `named-things-exist`,
    `lustre-usable` or `nfs-usable` reports it, and no other rule judges the file system."""
    expected = {None, system.kind.word.upper()}
    return fleet.gone(ResourceKind.FILE_SYSTEM, system.id) or fleet.file_system_facts(system.id).type not in expected


def used_by_others(used: Mapping[str, int] | None, quota: str, fleet: Fleet) -> int | None:
    """What others use of one quota; None if AWS was queried and did not answer. Without a query it is 0: facts that a
    person writes list all use that there is.

    Args:
        used: the facts about it: by code, or by name.
        quota: which.
        fleet: whose facts they are.
    """
    return (used or {}).get(quota, None if facts_observed(fleet) else 0)


def unknown_use(quota: str, allowed: int, wanted: int, fleet: Fleet) -> str:
    """The text for an unknown use of a quota.

    Args:
        quota: its name or code.
        allowed: its value.
        wanted: what the stack alone uses of it.
        fleet: what is judged.
    """
    return fleet.missing(
        f"the use of quota {quota} by other resources: the quota allows {allowed}, and this cluster needs {wanted}"
    )


def exceeds_quota(quota: str, wanted: int, allowed: int | None, used: int | None, fleet: Fleet) -> bool:
    """Whether a stack wants more of a quota than others leave. False where facts that a person wrote lack its value:
    they may be older than the rule.

    Args:
        quota: its name or code.
        wanted: what the stack alone uses of it.
        allowed: its value.
        used: what others use of it (`used_by_others`).
        fleet: what is judged.

    Raises:
        NotKnown: AWS did not state its value; or it is enough for the stack alone, and the use of others is not known.
    """
    together = wanted + (used or 0)
    if allowed is None:
        if facts_observed(fleet):
            raise NotKnown(fleet.missing(f"the value of quota {quota}, which must be {together} or more"))
    elif together <= allowed and used is None:
        raise NotKnown(unknown_use(quota, allowed, wanted, fleet))
    return allowed is not None and together > allowed


def of_iam(fleet: Fleet) -> list[ResourceReference]:
    """The roles, instance profiles and policies that the description names, without placeholders."""
    kinds = (ResourceKind.ROLE, ResourceKind.INSTANCE_PROFILE, ResourceKind.POLICY)
    return [each for each in fleet.named if each.kind in kinds and not each.blank]


def own_accounts(fleet: Fleet) -> tuple[str, ...]:
    """The accounts that the stack is deployed to: that of the facts, or those that it may be deployed to; empty if
    neither is known."""
    known = fleet.facts.account_id if fleet.facts else None
    return (known,) if known else fleet.allowed_accounts


_PARTS = 6


def region_in(reference: object) -> str:
    """The Region in an ARN; empty for any other text."""
    return _part(3, reference)


def account_in(reference: object) -> str:
    """The account in an ARN; empty for any other text, and for an ARN without an account (that of a bucket)."""
    return _part(4, reference)


def _part(number: int, reference: object) -> str:
    parts = str(reference).split(":")
    return parts[number] if parts[0] == "arn" and len(parts) >= _PARTS else ""
