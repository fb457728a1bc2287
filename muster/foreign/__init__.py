"""Programs of other teams: run in their own interpreter, or read from files that the engine saved.

Both give registrations in the form of the offline monitor's, and the list of what could not be seen. Nothing here
judges.
"""
