"""Report writers: each takes a `Report` and gives text to print.

`text` is for people, `json` for programs. A further format (SARIF, JUnit, Markdown, annotations) is one more module
here with a `write(report) -> str`. `rehearsal_html` does the same for what a rehearsal found, an `Outcome`.
"""
