"""What keeps a chart from being rendered, in words for people."""


class ChartFault(Exception):
    """It cannot be rendered; the message says which add-on and chart, why, and what to do."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(f"{what}; {remedy}" if remedy else what)
        self.what = what
        """The message without what to do, where that was said apart."""


class NoChart(Exception):
    """There is none for this add-on in that place, which is no fault: a stand-in can take its place.

    The message says what was looked for, and where.
    """
