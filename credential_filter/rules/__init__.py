"""Vendors' formats as data, their loader, and the check that each regex is linear."""
