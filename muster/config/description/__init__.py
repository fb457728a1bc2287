"""The models of `muster:cluster`. `root` says which model a description takes."""
