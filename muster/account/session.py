"""Whose account is asked, and how long for: the clients of botocore.

botocore, not boto3: questions are plain API calls, and boto3's resources are what it adds.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import botocore.session
from botocore.config import Config
from botocore.configprovider import ConfiguredEndpointProvider
from botocore.exceptions import BotoCoreError, NoRegionError, PartialCredentialsError, ProfileNotFound

from muster.account import requests
from muster.account.faults import NoAccount
from muster.account.parsing import Parsers

CONNECT_SECONDS, READ_SECONDS, ATTEMPTS = 5, 15, 3
"""Of one request: what is not answered then is "not answered", never fine."""

AT_ONCE = 8
"""Questions that are asked side by side. EC2's bucket for describing holds 50 requests at least (EC2 API guide, Request
throttling)."""

HOW = (
    "set AWS_PROFILE or --profile, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or sign in with "
    "`aws sso login --profile PROFILE`"
)


@dataclass(slots=True)
class Session:
    """Clients for one identity, one of each service and Region.

    Args:
        region: the stack's Region.
        profile: of ~/.aws/config; $AWS_PROFILE without.

    Raises:
        NoAccount: there is no such profile, or there are no credentials.
    """

    region: str
    profile: str | None = None
    _session: Any = field(init=False)
    _clients: dict[tuple[str, str], Any] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._session = botocore.session.Session(profile=self.profile)
        self._session.register_component("response_parser_factory", Parsers())
        try:
            credentials = self._session.get_credentials()
        except ProfileNotFound:
            known = ", ".join(sorted(self._session.available_profiles)) or "none"
            named = self.profile or self._session.profile
            raise NoAccount(f"there is no AWS profile '{named}' (there are: {known}); {HOW}") from None
        except PartialCredentialsError as fault:
            raise NoAccount(f"the AWS credentials lack a part: {fault}; {HOW}") from None
        except BotoCoreError as fault:
            raise NoAccount(f"the AWS credentials cannot be loaded: {fault}; {HOW}") from None
        if credentials is None:
            raise NoAccount(f"there are no AWS credentials; {HOW}")

    def client(self, service: str, region: str | None = None) -> Any:
        """The client of a service. To be called before threads are: making one is not thread-safe, using it is."""
        key = service, region or self.region
        if key not in self._clients:
            retries = {"mode": "standard", "total_max_attempts": ATTEMPTS}
            config = Config(
                connect_timeout=CONNECT_SECONDS,
                read_timeout=READ_SECONDS,
                retries=retries,
                max_pool_connections=AT_ONCE,
                user_agent_extra="muster",
            )
            try:
                made = self._session.create_client(service, region_name=key[1], config=config)
                address = self._address(service)
            except NoRegionError:
                raise NoAccount("no Region; the stack says none") from None
            except (BotoCoreError, ValueError) as fault:  # an AWS_ENDPOINT_URL that is no address
                raise NoAccount(f"AWS's {service} cannot be asked: {fault}") from None
            made.meta.events.register_last("before-send", requests.sent)
            if address and "amazonaws" not in address:
                made.meta.events.register("before-sign.s3-control", partial(_at, address))
            self._clients[key] = made
        return self._clients[key]

    def _address(self, service: str) -> str | None:
        """The address that is set for a service, by AWS_ENDPOINT_URL or in the profile; None where it is AWS's own."""
        configured = ConfiguredEndpointProvider(
            full_config=self._session.full_config,
            scoped_config=self._session.get_scoped_config(),
            client_name=service,
        )
        address: str | None = configured.provide()
        return address


def _at(address: str, request: Any, **_: Any) -> None:
    """Sends a request to the very host of an address: S3 Control puts the account's number before it, and only AWS
    knows such names."""
    request.url = urlsplit(request.url)._replace(netloc=urlsplit(address).netloc).geturl()
