"""Report writers: each takes a `Report` and returns text to print.

`text` is for people, `json` for programs. Each further format (SARIF, JUnit, Markdown, annotations) is a module
here with `write(report) -> str`. `rehearsal` does the same for the result of a rehearsal, an `Outcome`.
"""
