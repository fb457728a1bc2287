"""The Region of each resource of a program, which explicit providers or the resource itself may set."""

from collections import Counter
from collections.abc import Iterable, Mapping

from muster.fleet.registration import Registration

_AWS = ("aws:", "aws-native:")
_PROVIDERS = ("pulumi:providers:aws", "pulumi:providers:aws-native")


def region_by_urn(registrations: Iterable[Registration], otherwise: str | None) -> Mapping[str, str | None]:
    """URN -> Region. Resources of other providers get the Region that most AWS resources have.

    Args:
        registrations: the whole program.
        otherwise: the Region of the default provider; None if it is not set.
    """
    listed = list(registrations)
    named = {each.urn: each.inputs.get("region") for each in listed if each.type in _PROVIDERS}
    found: dict[str, str | None] = {}
    for each in listed:
        if each.type.startswith(_AWS):
            provider = named.get(str(each.options.get("provider", "")).rpartition("::")[0])
            candidates = (each.inputs.get("region"), provider, otherwise)
            found[each.urn] = next((one for one in candidates if isinstance(one, str) and one), None)
    counted = Counter(found.values())
    usual = max(counted, key=lambda region: (counted[region], region or "")) if counted else otherwise
    return {each.urn: found.get(each.urn, usual) for each in listed}
