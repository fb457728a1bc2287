"""Mutation testing: one small change to the code at a time, and the tests that reach it must notice.

Mutmut's mutations, in a runner of our own. Mutmut 3.8 itself mutates no decorated function (every rule is one), nor
what stands outside functions (every table), and cosmic-ray starts a Python for each mutant, which for this suite is
seconds each. Here a process that has collected the suite forks for each mutant, puts the changed function's code in
place of the old, and asks the tests that are about its file, likeliest first.

`make mutants` runs it; docs/mutants.md tells what survived, and why.
"""
