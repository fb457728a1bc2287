"""Progress of a long step on stderr."""

from muster import terminal


class Progress:
    """Shows progress on stderr."""

    def line(self, text: str) -> None:
        """Prints a line that stays."""
        terminal.show_status("")
        terminal.complain(text)

    def status(self, text: str) -> None:
        """Prints a line that the next one overwrites; on a terminal only."""
        terminal.show_status(text)


class SilentProgress(Progress):
    """Shows nothing."""

    def line(self, text: str) -> None:
        """Nothing."""

    def status(self, text: str) -> None:
        """Nothing."""
