"""What keeps a rehearsal from running, in words for people."""


class RehearsalFault(Exception):
    """The rehearsal cannot go on; the message says why, and what to do."""


class ComponentDied(RehearsalFault):
    """A component of the control plane ended by itself; the message ends with the last lines of its log."""
