"""The table of Terraform's types."""

from muster.fleet.resources.ref import CLOUD_CONTROL, COMPUTE_QUOTA
from muster.policies.views.fleet import READ
from muster.sources.terraform.types import NAMES
from tools.terraform_types import TABLE, text

_PULUMIS_OWN = ("V2:BucketV2", "AclV2", "VersioningV2", "ConfigurationV2")
"""Old names that pulumi-aws had for a while. Terraform has one name for each."""
_NOT_TERRAFORMS = {CLOUD_CONTROL, COMPUTE_QUOTA}
"""A resource of any type, and one that terraform-provider-awscc does not have (`internal/provider/all_schemas.hcl`)."""


def test_the_table_is_that_of_the_installed_sdks() -> None:
    """`python -m tools.terraform_types` writes it."""
    assert TABLE.read_text(encoding="utf-8") == text()


def test_every_type_that_rules_read_has_a_name_in_terraform() -> None:
    known = {*NAMES.values()}
    theirs = {each for each in READ if each.startswith("aws") and not each.endswith(_PULUMIS_OWN)}
    assert theirs - known == _NOT_TERRAFORMS
