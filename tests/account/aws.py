"""An AWS that answers as a test says: over HTTP, in each service's own protocol, by botocore's own models.

Requests are parsed, and answers written, by moto's parsers and serializers, which follow the models: a field that an
operation does not have never arrives.
"""

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from moto.core.exceptions import ServiceException
from moto.core.parse import PROTOCOL_PARSERS
from moto.core.request import Request, determine_request_protocol
from moto.core.routing import get_service_router
from moto.core.serialize import get_serializer_class
from moto.core.utils import get_service_model
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Response

SIGNED_AS = {"elasticfilesystem": "efs", "servicequotas": "service-quotas", "monitoring": "cloudwatch"}
"""What requests are signed for -> botocore's name of the service, where the two differ."""

Said = Mapping[str, Any] | Exception
Answers = Said | Callable[[Mapping[str, Any]], Said]


class Refused(ServiceException):
    """An error of AWS's: ``Refused("UnauthorizedOperation", "You are not authorized to perform this operation.")``."""

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(code, message)


@dataclass(frozen=True)
class Asked:
    """A request that came."""

    service: str
    operation: str
    parameters: Mapping[str, Any]
    region: str


@dataclass
class Aws:
    """One account.

    Args:
        answers: ``ec2.DescribeSubnets`` -> what it says, or a function from the request's parameters to it.

    What is asked and not in `answers` is denied, as to an identity that has no rights.
    """

    answers: dict[str, Answers] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    before: Callable[[Asked], None] = lambda asked: None
    """Called before each answer: to be slow."""

    def of(self, operation: str) -> list[Mapping[str, Any]]:
        """The parameters with which an operation was asked."""
        return [each.parameters for each in self.asked if f"{each.service}.{each.operation}" == operation]

    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        """The WSGI application."""
        request = Request(environ)
        body, status, headers = self._answered(request)
        return Response(body, status, headers)(environ, start)

    def _answered(self, request: Request) -> tuple[str | bytes, int, Mapping[str, str]]:
        scope = re.search(r"Credential=[^/]+/\d+/([^/]+)/([^/]+)/", request.headers.get("Authorization", ""))
        assert scope, "an unsigned request"
        region, signed = scope.groups()
        service = SIGNED_AS.get(signed, signed)
        model = get_service_model(service)
        operation, labels = get_service_router(service).match(request)
        protocol = determine_request_protocol(model, request.content_type)
        parsed = PROTOCOL_PARSERS[protocol](operation).parse(
            {
                "method": request.method,
                "values": request.values,
                "headers": request.headers,
                "body": request.get_data(),
                "url_path": request.path,
                "url_params": labels,
            }
        )
        asked = Asked(service, operation.name, parsed, region)
        self.asked.append(asked)
        self.before(asked)
        written = get_serializer_class(service, protocol)(operation).serialize(self._said(asked))
        return written["body"], written["status_code"], dict(written["headers"])

    def _said(self, asked: Asked) -> Said:
        answer = self.answers.get(f"{asked.service}.{asked.operation}", denied(asked.service, asked.operation))
        return answer(asked.parameters) if callable(answer) else answer


def denied(service: str, operation: str) -> Refused:
    """As the service words it that this identity may not."""
    words = f"User: arn:aws:iam::111122223333:user/someone is not authorized to perform: {service}:{operation}"
    if service == "ec2":
        return Refused("UnauthorizedOperation", f"You are not authorized to perform this operation. {words}")
    return Refused("AccessDenied" if service in {"s3", "iam", "sts"} else "AccessDeniedException", words)


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:
        """No line a request."""


@contextmanager
def playing(aws: Aws) -> Iterator[str]:
    """Serves it on loopback; gives its address, for AWS_ENDPOINT_URL."""
    server = make_server("127.0.0.1", 0, aws, threaded=True, request_handler=_Quiet)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
