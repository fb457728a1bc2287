"""Programs of other teams, reading a stack of ours."""
