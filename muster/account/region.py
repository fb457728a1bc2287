"""The Region that is meant where nobody names one."""

import os

import botocore.session
from botocore.exceptions import BotoCoreError


def default_region(profile: str | None) -> str | None:
    """$AWS_REGION, as AWS's CLI and SDKs have it; $AWS_DEFAULT_REGION; or the profile's in ~/.aws/config."""
    if named := os.environ.get("AWS_REGION"):
        return named
    try:
        region = botocore.session.Session(profile=profile).get_config_variable("region")
    except BotoCoreError:  # no such profile: whoever asks AWS says so
        return None
    return str(region) if region else None
