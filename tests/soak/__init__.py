"""Hours of use in minutes: random changes and searches on a real vault, with the daemon killed in between."""
