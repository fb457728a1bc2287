"""The zones that offer an instance type, as `muster hardware` prints them: indicative, with a date and a way to
verify."""

from collections.abc import Iterator

from muster.cli.exits import WrongInput
from muster.hardware.offerings import OBSERVED, SOURCE, regions, zones_offering
from muster.message_text import did_you_mean

PROVENANCE = f"{SOURCE}, observed {OBSERVED}; indicative"

_NONE_SEEN = "none seen"
_NOT_KNOWN = "not known"


def refuse_unknown(region: str | None) -> None:
    """Refuses a Region that the table does not have.

    Raises:
        WrongInput: it is unknown; the message has the closest match and a list of all Regions.
    """
    if region is not None and region not in regions():
        raise WrongInput(
            f"Muster has no zones for a Region '{region}'{did_you_mean(region, regions())} "
            f"(Regions: {', '.join(regions())})"
        )


def zones_of(instance: str, region: str | None = None) -> dict[str, list[str]] | None:
    """Region -> zone ids, sorted: for one Region, even if it has no zones; else for every Region with zones.

    None if the table does not have the type. A given Region is in the table (`refuse_unknown`).
    """
    searched = regions() if region is None else (region,)
    known = {each: sorted(zones) for each in searched if (zones := zones_offering(instance, each)) is not None}
    return {each: zones for each, zones in known.items() if zones or region} if known else None


def zone_rows(instance: str, region: str | None = None) -> Iterator[tuple[str, str]]:
    """One line for each Region, with its zones or with a note that it has none."""
    zones = zones_of(instance, region)
    if zones is None:
        yield region or "", _NOT_KNOWN
        return
    for each, ids in zones.items():
        yield each, " ".join(ids) or _NONE_SEEN


def facts_of(instance: str, region: str | None) -> Iterator[tuple[str, str]]:
    """The lines of a type's sheet."""
    for each, zones in zone_rows(instance, region):
        yield f"zones, {each}" if each else "zones", zones
    yield "source, zones", PROVENANCE


def how_to_be_sure(instance: str | None, region: str | None) -> str:
    """How reliable the zones are, and the two AWS CLI calls that give a reliable answer."""
    import shutil
    import textwrap

    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    note = (
        f"Indicative: EC2 reported these zones to one account, on {OBSERVED} or earlier (source: {SOURCE}). AWS's own "
        f"lists disagree about some types, so '{_NONE_SEEN}' does not prove that no zone offers the type. Local Zones "
        "are not included. A zone that offers a type may have no free capacity. For a reliable answer, query EC2 with "
        "your account:"
    )
    where, which = region or "REGION", instance or "TYPE"
    return "\n".join(
        (
            *textwrap.wrap(note, width),
            f"  aws ec2 describe-instance-types --region {where} \\",
            "    --filters Name=network-info.efa-supported,Values=true \\",
            "    --query 'InstanceTypes[*].[InstanceType]' --output text",
            f"  aws ec2 describe-instance-type-offerings --region {where} \\",
            "    --location-type availability-zone-id \\",
            f"    --filters Name=instance-type,Values={which} \\",
            "    --query 'InstanceTypeOfferings[*].Location' --output text",
            "",
        )
    )
