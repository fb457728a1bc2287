"""What rules read of a fleet, shared by several of them: rules import this, never each other."""
