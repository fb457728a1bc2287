"""botocore's clients for one identity, and queries in parallel, each once, within limits of attempts, seconds and
pages."""

import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

import botocore.session
from botocore import xform_name
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    CredentialRetrievalError,
    HTTPClientError,
    NoCredentialsError,
    NoRegionError,
    ProfileNotFound,
    ReadTimeoutError,
    SSOError,
    TokenRetrievalError,
)
from botocore.exceptions import ConnectionError as NotConnected
from botocore.parsers import ResponseParserError
from botocore.validate import ParamValidator

from muster.account.query import MAX_PAGES, Answer, Query, QueryKey, Unanswered, UnansweredReason
from muster.message_text import truncate


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


TIMEOUT_SECONDS = 60.0
"""The time limit of all queries together."""

_DENIED = frozenset(
    {"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "AuthorizationError", "Forbidden"}
)
_UNKNOWN_IDENTITY = frozenset(
    {
        *("AuthFailure", "ExpiredToken", "ExpiredTokenException", "IncompleteSignature", "InvalidAccessKeyId"),
        *("InvalidClientTokenId", "InvalidSignatureException", "MissingAuthenticationToken", "RequestExpired"),
        *("InvalidToken", "SignatureDoesNotMatch", "TokenRefreshRequired", "UnrecognizedClientException"),
    }
)
"""Error codes of an unknown identity: every query would fail."""

_OF_A_CLOSED_REGION = frozenset({"AuthFailure", "InvalidClientTokenId", "UnrecognizedClientException"})
"""The codes among them that a Region returns if the account has not enabled it: EC2, the query protocol, the others
(EC2 API, Error codes; AWS's knowledge center on Regions that are not enabled)."""

_THROTTLED = frozenset(
    {
        *("BandwidthLimitExceeded", "EC2ThrottledException", "LimitExceededException", "PriorRequestNotComplete"),
        *("ProvisionedThroughputExceededException", "RequestLimitExceeded", "RequestThrottled"),
        *("RequestThrottledException", "SlowDown", "ThrottledException", "Throttling", "ThrottlingException"),
        *("TooManyRequestsException", "TransactionInProgressException"),
    }
)
"""The codes of botocore's standard retry mode (`botocore.retries.standard.ThrottledRetryableChecker`)."""


@dataclass(slots=True)
class QueryRunner:
    """Runs queries. A query that already has an answer does not run again.

    Args:
        session: the account.
        progress: called with the number of answers, and the number of queries so far.
        seconds: the time limit of all queries together; queries without an answer then have timed out.
    """

    session: Session
    progress: Callable[[int, int], None] | None = None
    seconds: float = TIMEOUT_SECONDS
    answers: dict[QueryKey, Answer] = field(default_factory=dict)
    _until: float | None = None

    def __call__(self, questions: Sequence[Query]) -> Sequence[Answer]:
        """Runs the queries without an answer, in parallel.

        Raises:
            NoAccount: AWS does not accept the credentials.
        """
        if self._until is None:
            self._until = time.monotonic() + self.seconds
        new = list({each.key: each for each in questions if each.key not in self.answers}.values())
        if new:
            self._ask(new, self._until)
        return [self.answers[each.key] for each in questions]

    def _ask(self, new: Sequence[Query], until: float) -> None:
        clients = {each.key: self.session.client(each.service) for each in new}
        waiting: SimpleQueue[Query] = SimpleQueue()
        for each in new:
            waiting.put(each)
        outcomes: SimpleQueue[tuple[Query, Answer | BaseException]] = SimpleQueue()
        over = Event()

        def serve() -> None:
            with suppress(Empty):
                while not over.is_set():
                    question = waiting.get_nowait()
                    outcomes.put((question, _outcome(clients[question.key], question)))

        # Daemon threads: a hanging call delays neither this method nor the end of the process.
        for _ in range(min(MAX_PARALLEL_QUERIES, len(new))):
            Thread(target=serve, name="aws", daemon=True).start()
        try:
            with suppress(Empty):
                for open_ in range(len(new), 0, -1):
                    self._tell(open_)
                    question, outcome = outcomes.get(timeout=max(0.0, until - time.monotonic()))
                    if isinstance(outcome, BaseException):
                        raise outcome
                    self.answers[question.key] = outcome
        finally:
            over.set()
        late = Unanswered(
            UnansweredReason.TIMED_OUT, f"no answer within {self.seconds:g} seconds, the limit of all queries together"
        )
        for each in new:
            self.answers.setdefault(each.key, Answer(each, unanswered=late))

    def _tell(self, open_: int) -> None:
        if self.progress:
            self.progress(len(self.answers), len(self.answers) + open_)


def _outcome(client: Any, question: Query) -> Answer | BaseException:
    """An answer, or the exception that the waiting thread raises."""
    try:
        return _answer(client, question)
    except BaseException as fault:  # noqa: BLE001 - an exception in a thread reaches no caller
        return fault


def _answer(client: Any, question: Query) -> Answer:
    """Runs one query.

    Raises:
        NoAccount: AWS does not accept the credentials.
    """
    try:
        result = _pages(client, question)
    except ClientError as fault:
        return _of_error(question, fault, client.meta.region_name)
    except (NoCredentialsError, CredentialRetrievalError, TokenRetrievalError, SSOError) as fault:
        raise NoAccount(f"the AWS credentials are not available: {_line(fault)}; {CREDENTIALS_HELP}") from None
    except (BotoCoreError, *_OF_PARSERS) as fault:
        reason = next(reason for kinds, reason in _REASONS.items() if isinstance(fault, kinds))
        return Answer(question, unanswered=Unanswered(reason, _line(fault)))
    return Answer(question, result)


_OF_PARSERS = (
    *(ResponseParserError, ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError),
)
"""The exceptions of botocore's parsers for unexpected bytes: not a number, not a date, a list instead of an object."""

_REASONS: Mapping[tuple[type[Exception], ...], UnansweredReason] = {
    (ConnectTimeoutError, ReadTimeoutError): UnansweredReason.TIMED_OUT,
    # An unknown address, a refusing proxy, an untrusted certificate.
    (NotConnected, HTTPClientError): UnansweredReason.UNREACHABLE,
    (BotoCoreError,): UnansweredReason.REFUSED,
    _OF_PARSERS: UnansweredReason.UNREADABLE,
}
"""The first that fits counts."""


def _pages(client: Any, question: Query) -> Mapping[str, Any]:
    """An answer with all its pages joined.

    Raises:
        ResponseParserError: there are too many pages, or a value has another type than in the API's model, which
            botocore's parsers do not check.
    """
    method = xform_name(question.operation)
    shape = client.meta.service_model.operation_model(question.operation).output_shape
    if not client.can_paginate(method):
        return _body(getattr(client, method)(**question.parameters), shape)
    paginator = client.get_paginator(method)
    joined: dict[str, Any] = {}
    for number, page in enumerate(paginator.paginate(**question.parameters), start=1):
        if number > MAX_PAGES:
            raise ResponseParserError(f"it has more than {MAX_PAGES} pages")
        for key, value in _body(page, shape).items():
            joined[key] = [*joined[key], *value] if isinstance(value, list) and key in joined else value
    return joined


def _body(page: Mapping[str, Any], shape: Any) -> dict[str, Any]:
    body = {key: value for key, value in page.items() if key != "ResponseMetadata"}
    for fault in ParamValidator().validate(body, shape).generate_report().splitlines():
        if fault.startswith("Invalid type"):
            raise ResponseParserError(fault)
    return body


def _of_error(question: Query, fault: ClientError, region: str) -> Answer:
    code = str(fault.response.get("Error", {}).get("Code", ""))
    if code in question.absent:
        return Answer(question, absent=True)
    if code in _UNKNOWN_IDENTITY:
        how = CREDENTIALS_HELP
        if code in _OF_A_CLOSED_REGION:
            how += f"; if they work in other Regions, enable {region} (`aws account enable-region`)"
        raise NoAccount(f"AWS does not accept the credentials: {_error_text(fault)}; {how}") from None
    reason = (
        UnansweredReason.DENIED
        if code in _DENIED
        else UnansweredReason.THROTTLED
        if code in _THROTTLED
        else UnansweredReason.REFUSED
    )
    return Answer(question, unanswered=Unanswered(reason, _error_text(fault)))


def _error_text(fault: ClientError) -> str:
    error = fault.response.get("Error", {})
    return _short(f"{error.get('Code', 'an error')}: {error.get('Message', '')}").rstrip(": ")


def _line(fault: Exception) -> str:
    words = mask_users(str(fault))
    return _short(words if isinstance(fault, BotoCoreError) else f"the answer cannot be read as AWS's: {words}")


_MOST = 500
"""The number of characters of a message that are kept: parsers quote the whole text that they cannot read."""


def _short(words: str) -> str:
    return truncate(" ".join(words.split()), _MOST)
