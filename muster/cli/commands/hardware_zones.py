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
        WrongInput: it is unknown; the message has the closest match and a list of all.
    """
    if region is not None and region not in regions():
        raise WrongInput(
            f"no zones are known of a Region '{region}'{did_you_mean(region, regions())} "
            f"(there are: {', '.join(regions())})"
        )


def zones_of(instance: str, region: str | None = None) -> dict[str, list[str]] | None:
    """Region -> zone ids, sorted; of one Region even where none was seen, else of the Regions with any.

    None where the table knows nothing of the type. A Region given is one of the table's (`refuse_unknown`).
    """
    asked = regions() if region is None else (region,)
    known = {each: sorted(zones) for each in asked if (zones := zones_offering(instance, each)) is not None}
    return {each: zones for each, zones in known.items() if zones or region} if known else None


def zone_rows(instance: str, region: str | None = None) -> Iterator[tuple[str, str]]:
    """One line for each Region with its zones, or with a note where it has none."""
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
    """How far the zones can be trusted, and the two calls that settle it."""
    import shutil
    import textwrap

    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    said = (
        f"Indicative: what EC2 told one account, observed {OBSERVED} or before (source: {SOURCE}). AWS's own lists "
        f"disagree about some types: '{_NONE_SEEN}' is no proof. Local Zones are left out, and a zone that offers a "
        "type need not have any free. To be sure, ask EC2 from your account:"
    )
    where, which = region or "REGION", instance or "TYPE"
    return "\n".join(
        (
            *textwrap.wrap(said, width),
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
