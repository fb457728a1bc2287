"""The metadata service, disks and addresses of nodes."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, a_template, an_interface, facts
from tests.policies.case import case
from tests.policies.security import WORKERS

# imds-v2-required, imds-out-of-pods

V2, HOPS = "imds-v2-required", "imds-out-of-pods"


@case(f"{V2} @ {WORKERS}")
def a_template_that_says_nothing_of_the_metadata_service() -> Fleet:
    return a_fleet(a_template(http_tokens=None, hop_limit=None))


@case(f"{V2} @ {WORKERS}")
def a_template_that_takes_imds_v1() -> Fleet:
    return a_fleet(a_template(http_tokens="optional", hop_limit=2))


@case(unjudged=(f"{V2} @ {WORKERS}",))
def tokens_not_yet_known() -> Fleet:
    return a_fleet(a_template(http_tokens=UNKNOWN))


@case(f"{HOPS} @ {WORKERS}")
def a_hop_limit_of_two() -> Fleet:
    return a_fleet(a_template(hop_limit=2))


@case(f"{HOPS} @ {WORKERS}")
def no_hop_limit_at_all() -> Fleet:
    return a_fleet(a_template(hop_limit=None))


@case(unjudged=(f"{HOPS} @ {WORKERS}",))
def a_hop_limit_not_yet_known() -> Fleet:
    return a_fleet(a_template(hop_limit=UNKNOWN))


# volumes-encrypted

DISKS = "volumes-encrypted"


def account(by_default: bool | None = None) -> dict[str, Any]:
    return {"facts": facts(ebsEncryptionByDefault=by_default)}


@case(f"{DISKS} @ {WORKERS}")
def a_volume_in_the_clear() -> Fleet:
    return a_fleet(a_template(root_encrypted=False))


@case()
def a_volume_in_the_clear_where_the_account_encrypts_all() -> Fleet:
    return a_fleet(a_template(root_encrypted=False), **account(by_default=True))


@case(f"{DISKS} @ {WORKERS}")
def a_volume_in_the_clear_where_the_account_does_not() -> Fleet:
    return a_fleet(a_template(root_encrypted=False), **account(by_default=False))


@case(unjudged=(f"{DISKS} @ {WORKERS}",))
def no_volumes_described() -> Fleet:
    return a_fleet(a_template(root_encrypted=None))


@case(unjudged=(f"{DISKS} @ {WORKERS}",))
def no_volumes_described_and_nobody_knows_of_the_account() -> Fleet:
    return a_fleet(a_template(root_encrypted=None), **account())


@case()
def no_volumes_described_where_the_account_encrypts_all() -> Fleet:
    return a_fleet(a_template(root_encrypted=None), **account(by_default=True))


@case(f"{DISKS} @ {WORKERS}")
def no_volumes_described_where_the_account_does_not() -> Fleet:
    return a_fleet(a_template(root_encrypted=None), **account(by_default=False))


@case(unjudged=(f"{DISKS} @ {WORKERS}",))
def volumes_not_yet_known() -> Fleet:
    return a_fleet(a_template(root_encrypted=UNKNOWN))


# nodes-without-public-address

PUBLIC = "nodes-without-public-address"


def plain(**primary: Any) -> Fleet:
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=(an_interface(**primary),)))


@case(f"{PUBLIC} @ {WORKERS}")
def a_public_address() -> Fleet:
    return plain(public_ip=True)


@case()
def no_public_address_said() -> Fleet:
    return plain(public_ip=False)


@case(unjudged=(f"{PUBLIC} @ {WORKERS}",))
def a_public_address_not_yet_known() -> Fleet:
    return plain(public_ip=UNKNOWN)
