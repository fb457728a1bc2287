"""Everything an account says about one stack."""

from muster.account.ask import Ask
from muster.account.inquiring import Heard, hear, together
from muster.account.topic import Wanted
from muster.account.topics import TOPICS
from muster.fleet.facts import ClusterFacts, Facts


def preflight(wanted: Wanted, ask: Ask, known: Facts | None) -> tuple[Facts, Heard]:
    """Asks about everything that a stack names or needs.

    Args:
        wanted: the stack.
        ask: who answers.
        known: the facts so far. Of them only what no question answers is kept: what another stack exports, and which
            charts are installed. What AWS was asked and did not answer now is not known any more.

    Returns:
        The facts from now on, and what was heard.

    Raises:
        NoAccount: AWS does not take the credentials.
    """
    heard = hear(TOPICS, wanted, ask)
    return together((_kept(known or Facts()), heard.facts, Facts(observed=wanted.observed))), heard


def _kept(known: Facts) -> Facts:
    charts = {
        name: ClusterFacts(hyperpodChart=each.hyperpod_chart)
        for name, each in known.clusters.items()
        if each.hyperpod_chart is not None
    }
    return Facts(outputs=known.outputs, clusters=charts)
