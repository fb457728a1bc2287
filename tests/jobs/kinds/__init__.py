"""The pods of each kind of job."""
