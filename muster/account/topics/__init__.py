"""Every topic that an account is asked about, one file each."""

from muster.account.topic import Topic
from muster.account.topics.identity import IDENTITY

TOPICS: tuple[Topic, ...] = (IDENTITY,)
"""In the order in which people read the answers."""
