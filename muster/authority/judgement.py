"""A cluster by AWS's own schema and validators."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from muster.authority.account import account, word
from muster.authority.message import Message
from muster.authority.session import session
from muster.authority.unasked import SUPPRESSED
from muster.fleet.parallelcluster.configuration import configuration
from muster.fleet.slurm_blueprint import SlurmBlueprint
from muster.fleet.tags import PROVIDERS_TAG

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was said, and by whom."""

    configuration: Json
    """What was judged: ids that are not known yet are the names of what will have them."""
    messages: tuple[Message, ...]
    """In the order they were said in. Where the schema refuses, no validator is asked."""
    ran: Mapping[str, int]
    """Validator class -> how often it was asked."""
    suppressed: tuple[str, ...]
    """Those that would have been asked, too (`muster.authority.unasked`)."""
    seconds: float


def judge(blueprint: SlurmBlueprint) -> Judgement:
    """What the package says of a cluster.

    Raises:
        NotInstalled: it is not here.
        NoAnswer: it failed.
    """
    return judge_configuration(configuration(blueprint, word), blueprint.cluster_name, account(blueprint))


def judge_configuration(said: Json, name: str, around: Json) -> Judgement:
    """What the package says of a configuration for a cluster of a name, in an account (`muster.authority.account`).

    Raises:
        NotInstalled: it is not here.
        NoAnswer: it failed.
    """
    told = session().ask(
        "judge", cluster=name, configuration=as_sent(_provided(said)), account=around, suppressed=sorted(SUPPRESSED)
    )
    return Judgement(
        said, tuple(map(Message.of, told["messages"])), told["ran"], tuple(told["suppressed"]), told["seconds"]
    )


def _provided(said: Json) -> Json:
    """As AWS's provider hands it on: with a tag of its own, last (`cloudformation/custom_resource/cluster.yaml`)."""
    return {**said, "Tags": [*said.get("Tags", ()), {"Key": PROVIDERS_TAG, "Value": "cluster"}]}


def as_sent(value: Any) -> Any:
    """As CloudFormation hands it to ParallelCluster's Lambda: a custom resource gets every primitive as text."""
    if isinstance(value, Mapping):
        return {key: as_sent(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_sent(each) for each in value]
    return str(value).lower() if isinstance(value, bool) else str(value)
