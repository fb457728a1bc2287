"""Edits of stacks, each with what the engine makes of it: `test_change_costs` tries them."""
