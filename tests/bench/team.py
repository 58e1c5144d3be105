"""`python -m tests.bench.team`: a team's store on a server, beside the file's."""
