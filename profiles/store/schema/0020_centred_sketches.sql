-- From here on a sketch has the sign bits of a vector less the mean of its model's vectors, where `meta` has that mean
-- (profiles/search/meaning/calibration.py). Nothing changes in the tables; an older Scrubjay would compare queries with
-- such sketches as they are, and must not open the file.
SELECT 1;
