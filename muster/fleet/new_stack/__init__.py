"""The file of a new stack: choices in, text out. Pure: what AWS says is in the choices, with where it comes from."""
