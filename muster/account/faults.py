"""What stops a whole run: then nothing was asked, and nothing is known."""


class NoAccount(Exception):
    """There are no credentials, or AWS does not take them. The message says what to set."""
