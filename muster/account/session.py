"""botocore's session and clients for one identity, with their limits and errors."""

import os
import re
from dataclasses import dataclass, field
from typing import Any

import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, NoRegionError, PartialCredentialsError, ProfileNotFound


class NoAccount(Exception):
    """There are no credentials, or AWS does not accept them. The message has the remedy."""


CONNECT_SECONDS, READ_SECONDS, ATTEMPTS = 5, 15, 3
"""The limits of one request. A query without an answer in that time counts as unanswered."""

MAX_PARALLEL_QUERIES = 8
"""The maximum number of parallel queries. EC2's token bucket for Describe calls has at least 50 tokens (EC2 API guide,
Request throttling)."""

CREDENTIALS_HELP = (
    "set AWS_PROFILE or --profile, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with "
    "`aws sso login --profile PROFILE`"
)


@dataclass(slots=True)
class Session:
    """Clients for one identity, one for each service.

    Args:
        region: the stack's Region.
        profile: a profile of ~/.aws/config. Default: $AWS_PROFILE.

    Raises:
        NoAccount: there is no such profile, or there are no credentials.
    """

    region: str
    profile: str | None = None
    _session: Any = field(init=False)
    _clients: dict[str, Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._session = botocore.session.Session(profile=self.profile)
        try:
            credentials = self._session.get_credentials()
        except ProfileNotFound:
            known = ", ".join(sorted(self._session.available_profiles)) or "none"
            named = self.profile or self._session.profile
            raise NoAccount(f"there is no AWS profile '{named}' (profiles: {known}); {CREDENTIALS_HELP}") from None
        except PartialCredentialsError as fault:
            raise NoAccount(f"the AWS credentials are incomplete: {fault}; {CREDENTIALS_HELP}") from None
        except BotoCoreError as fault:
            raise NoAccount(f"the AWS credentials cannot be loaded: {fault}; {CREDENTIALS_HELP}") from None
        if credentials is None:
            raise NoAccount(f"there are no AWS credentials; {CREDENTIALS_HELP}")

    def client(self, service: str) -> Any:
        """The client of a service. Call it before starting threads: creating a client is not thread-safe; using it
        is."""
        if service not in self._clients:
            retries = {"mode": "standard", "total_max_attempts": ATTEMPTS}
            config = Config(
                connect_timeout=CONNECT_SECONDS,
                read_timeout=READ_SECONDS,
                retries=retries,
                max_pool_connections=MAX_PARALLEL_QUERIES,
                user_agent_extra="muster",
            )
            try:
                made = self._session.create_client(service, region_name=self.region, config=config)
            except NoRegionError:
                raise NoAccount("the stack sets no Region") from None
            except (BotoCoreError, ValueError) as fault:  # an AWS_ENDPOINT_URL that is not an address
                raise NoAccount(f"AWS's {service} cannot be queried: {fault}") from None
            self._clients[service] = made
        return self._clients[service]


def default_region(profile: str | None) -> str | None:
    """The Region of $AWS_REGION, which the AWS CLI and SDKs read first; of $AWS_DEFAULT_REGION; or of the profile in
    ~/.aws/config."""
    if named := os.environ.get("AWS_REGION"):
        return named
    try:
        region = botocore.session.Session(profile=profile).get_config_variable("region")
    except BotoCoreError:  # an unknown profile, which `Session` reports
        return None
    return str(region) if region else None


_SCHEME = re.compile(r"https?://", re.IGNORECASE)

_ADDRESS = re.compile(r"https?://[^\s\"]+", re.IGNORECASE)


def mask_user(address: str) -> str:
    """An address without the user and password before its last ``@``; the scheme stays. A password may contain ``@``
    and ``/``; a host name cannot."""
    scheme = _SCHEME.match(address)
    before, _, host = address.rpartition("@")
    return f"{scheme[0] if scheme else ''}{host}" if before else address


def mask_users(words: str) -> str:
    """A message, such as botocore's about an unreachable address, without users and passwords in its addresses."""
    return _ADDRESS.sub(lambda found: mask_user(found[0]), words)
