"""Random legal clusters by AWS's own package."""

from hypothesis import HealthCheck, given, settings

from muster.authority.moto_content import moto_content, placeholder_id
from muster.authority.validation import Level, as_sent, validate_cluster
from muster.authority.worker_process import Worker
from muster.blueprint.parallelcluster.configuration import configuration
from tests.authority.judged import derived
from tests.slurm_strategies import legal_slurm
from tests.strategies import Described

FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FEW
@given(legal_slurm())
def test_no_validator_refuses_a_legal_cluster(aws: Worker, described: Described) -> None:
    """What is legal to our laws and rules is legal to AWS: no error, no question that the stand-in cannot answer."""
    messages = validate_cluster(derived(described)).messages
    assert not [each for each in messages if each.level is Level.ERROR]


@FEW
@given(legal_slurm())
def test_text_means_what_values_mean(aws: Worker, described: Described) -> None:
    """CloudFormation hands custom resources every primitive as text: ParallelCluster reads the same cluster from it."""
    blueprint = derived(described)
    said, around = configuration(blueprint, placeholder_id), moto_content(blueprint)
    plain = aws.ask("loaded", cluster="name", configuration=said, account=around)
    text = aws.ask("loaded", cluster="name", configuration=as_sent(said), account=around)
    assert plain == text
    assert plain["messages"] == []
    assert plain["values"]["Region"] == described.region
