"""AWS's native provider is whoever the stack deploys as, or says why it cannot be."""

import inspect
import json
import re
from collections.abc import Mapping
from typing import Any

import pulumi_aws
import pytest

from muster.infra.native_provider import ACCOUNTS, CREDENTIALS, METADATA, PASSED, REFUSED, ROLES, SECRETS
from tests.infra.hyperpod.described import PROVIDER, registered

ROLE = "arn:aws:iam::111122223333:role/deployer"

NOT_WHO = {
    "customCaBundle",
    "defaultTags",
    "endpoints",
    "httpProxy",
    "httpsProxy",
    "ignoreTags",
    "insecure",
    "maxRetries",
    "noProxy",
    "region",
    "retryMode",
    "s3UsEast1RegionalEndpoint",
    "s3UsePathStyle",
    "skipCredentialsValidation",
    "skipRegionValidation",
    "skipRequestingAccountId",
    "stsRegion",
    "tagPolicyCompliance",
    "tokenBucketRateLimiterCapacity",
    "useDualstackEndpoint",
    "useFipsEndpoint",
    "userAgents",
}
"""Keys of `aws:*` that say how AWS is spoken to, and what is written on things. The Region is the stack's."""


def inputs(config: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the provider is made with."""
    return registered(config=config).one(PROVIDER, "aws-native").inputs


def test_every_key_that_says_who_deploys_is_passed_or_refused() -> None:
    """What is dropped silently makes the cluster as somebody else, perhaps in another account."""
    keys = set(re.findall(r"__config__\.get\w*\('(\w+)'\)", inspect.getsource(pulumi_aws.config.vars)))
    ours = {*PASSED, *SECRETS, *ACCOUNTS, *REFUSED, CREDENTIALS, METADATA, ROLES}
    assert keys == ours | NOT_WHO
    assert not ours & NOT_WHO


@pytest.mark.parametrize(
    ("config", "passed"),
    [
        ({"profile": "ml"}, {"profile": "ml"}),
        (
            {"accessKey": "AKIA", "secretKey": "k", "token": "session"},
            {"accessKey": "AKIA", "secretKey": "k", "token": "session"},
        ),
        ({"allowedAccountIds": ["111122223333"]}, {"allowedAccountIds": ["111122223333"]}),
        ({"forbiddenAccountIds": ["444455556666"]}, {"forbiddenAccountIds": ["444455556666"]}),
        ({"sharedCredentialsFiles": ["keys/ml"]}, {"sharedCredentialsFile": "keys/ml"}),
        ({"skipMetadataApiCheck": "true"}, {"skipMetadataApiCheck": True}),
        ({}, {"skipMetadataApiCheck": False}),
    ],
)
def test_it_is_told_what_the_other_provider_is_told(config: Mapping[str, Any], passed: Mapping[str, Any]) -> None:
    told = inputs({f"aws:{key}": value for key, value in config.items()})
    assert {key: _read(told[key]) for key in passed} == passed


def _read(value: Any) -> Any:
    """What a provider is told is text; lists and booleans are JSON in it."""
    return json.loads(value) if isinstance(value, str) and value[:1] in {"[", "{", "t", "f"} else value


@pytest.mark.parametrize(("said", "seconds"), [("1h", 3600), ("1h30m", 5400), ("900s", 900), ("1.5h", 5400)])
def test_a_role_is_passed_whole(said: str, seconds: int) -> None:
    """In the native provider's own words: it counts seconds."""
    role = {
        "roleArn": ROLE,
        "sessionName": "muster",
        "externalId": "id",
        "policy": "{}",
        "policyArns": ["arn:aws:iam::aws:policy/ReadOnlyAccess"],
        "tags": {"team": "ml"},
        "transitiveTagKeys": ["team"],
    }
    told = inputs({"aws:assumeRoles": [{**role, "duration": said}]})
    assert _read(told["assumeRole"]) == {**role, "durationSeconds": seconds}


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("assumeRoleWithWebIdentity", {"roleArn": ROLE, "webIdentityTokenFile": "token"}),
        ("ec2MetadataServiceEndpoint", "http://127.0.0.1"),
        ("ec2MetadataServiceEndpointMode", "IPv6"),
        ("sharedConfigFiles", ["config"]),
        ("sharedCredentialsFiles", ["one", "two"]),
        ("assumeRoles", [{"roleArn": ROLE}, {"roleArn": ROLE}]),
        # A session without its source identity may be refused, or is not found in the trail.
        ("assumeRoles[0].sourceIdentity", [{"roleArn": ROLE, "sourceIdentity": "ada"}]),
        ("assumeRoles[0].duration", [{"roleArn": ROLE, "duration": "soon"}]),
        ("assumeRoles[0].duration", [{"roleArn": ROLE, "duration": "1500ms"}]),
    ],
)
def test_who_it_cannot_be_is_refused_with_its_place(place: str, value: Any) -> None:
    """Before anything is registered."""
    with pytest.raises(Exception, match=f"^aws:{re.escape(place)}: "):
        registered(config={f"aws:{place.partition('[')[0]}": value})
