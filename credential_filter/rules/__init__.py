"""What the vendors' formats are: rules as data, their loader, and the checks that they are safe to run."""
