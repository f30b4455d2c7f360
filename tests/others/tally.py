"""What the comparisons here count: check (GOOD, WHAT, ...), which prints WHAT of a failure, and at last finish ()."""

import sys

passed = failed = 0


def check(good, *what):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print("FAILED", *what)


def finish():
    """Prints 'N passed, N failed' and ends the program: with status 1 if something failed."""
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)
