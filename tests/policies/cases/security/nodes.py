"""The metadata service, disks and addresses of nodes."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_template, an_interface, facts
from tests.policies.case import cases

# imds-v2-required, imds-out-of-pods


cases(
    a_template_that_says_nothing_of_the_metadata_service=lambda: a_fleet(a_template(http_tokens=None, hop_limit=None)),
    a_template_that_takes_imds_v1=lambda: a_fleet(a_template(http_tokens="optional", hop_limit=2)),
    tokens_not_yet_known=lambda: a_fleet(a_template(http_tokens=UNKNOWN)),
    a_hop_limit_of_two=lambda: a_fleet(a_template(hop_limit=2)),
    no_hop_limit_at_all=lambda: a_fleet(a_template(hop_limit=None)),
    a_hop_limit_not_yet_known=lambda: a_fleet(a_template(hop_limit=UNKNOWN)),
)


# volumes-encrypted


def account(by_default: bool | None = None) -> dict[str, Any]:
    return {"facts": facts(ebsEncryptionByDefault=by_default)}


cases(
    a_volume_in_the_clear=lambda: a_fleet(a_template(root_encrypted=False)),
    a_volume_in_the_clear_where_the_account_encrypts_all=lambda: a_fleet(
        a_template(root_encrypted=False), **account(by_default=True)
    ),
    a_volume_in_the_clear_where_the_account_does_not=lambda: a_fleet(
        a_template(root_encrypted=False), **account(by_default=False)
    ),
    no_volumes_described=lambda: a_fleet(a_template(root_encrypted=None)),
    no_volumes_described_and_nobody_knows_of_the_account=lambda: a_fleet(a_template(root_encrypted=None), **account()),
    no_volumes_described_where_the_account_encrypts_all=lambda: a_fleet(
        a_template(root_encrypted=None), **account(by_default=True)
    ),
    no_volumes_described_where_the_account_does_not=lambda: a_fleet(
        a_template(root_encrypted=None), **account(by_default=False)
    ),
    volumes_not_yet_known=lambda: a_fleet(a_template(root_encrypted=UNKNOWN)),
)


# nodes-without-public-address


def plain(**primary: Any) -> Fleet:
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=(an_interface(**primary),)))


cases(
    a_public_address=lambda: plain(public_ip=True),
    no_public_address_said=lambda: plain(public_ip=False),
    a_public_address_not_yet_known=lambda: plain(public_ip=UNKNOWN),
)
