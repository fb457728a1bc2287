"""The supported kinds of jobs, and the pods of each."""
