"""The metadata service, disks and addresses of nodes."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_template, an_interface, facts
from tests.policies.case import cases

# imds-v2-required, imds-out-of-pods


cases(
    a_hop_limit_not_yet_known=lambda: a_fleet(a_template(hop_limit=UNKNOWN)),
)


# volumes-encrypted


def account(by_default: bool | None = None) -> dict[str, Any]:
    return {"facts": facts(ebsEncryptionByDefault=by_default)}


# nodes-without-public-address


def plain(**primary: Any) -> Fleet:
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=(an_interface(**primary),)))
