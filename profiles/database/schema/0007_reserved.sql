-- Version 7 has no change of its own.
SELECT 1;
