"""Regions: the one that is meant where nobody names one, and those that every account has."""

import os

import botocore.session
from botocore.exceptions import BotoCoreError

ALWAYS_ENABLED = frozenset(
    {
        *("ap-northeast-1", "ap-northeast-2", "ap-northeast-3", "ap-south-1", "ap-southeast-1", "ap-southeast-2"),
        *("ca-central-1", "eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3", "sa-east-1"),
        *("us-east-1", "us-east-2", "us-west-1", "us-west-2"),
    }
)
"""Regions from before 2019-03-20: nobody needs to enable them (Account Management guide, manage-acct-regions). Others
an account has once it has enabled them."""


def default_region(profile: str | None) -> str | None:
    """$AWS_REGION, as AWS's CLI and SDKs have it; $AWS_DEFAULT_REGION; or the profile's in ~/.aws/config."""
    if named := os.environ.get("AWS_REGION"):
        return named
    try:
        region = botocore.session.Session(profile=profile).get_config_variable("region")
    except BotoCoreError:  # no such profile: whoever asks AWS says so
        return None
    return str(region) if region else None
