"""What keeps a chart from being rendered, in words for people."""


class ChartFault(Exception):
    """It cannot be rendered; the message says which add-on and chart, why, and what to do."""


class NoChart(Exception):
    """There is none for this add-on in that place, which is no fault: a stand-in can take its place.

    The message says what was looked for, and where.
    """
