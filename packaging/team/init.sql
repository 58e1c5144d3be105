-- Run once by psql as the superuser, when the server has no data yet: the team's database, the role that owns it, and the first owner.
\set ON_ERROR_STOP on
\set password `cat /run/secrets/owner_password`
CREATE ROLE notes_team CREATEROLE;
CREATE ROLE owner LOGIN PASSWORD :'password' IN ROLE notes_team;
CREATE DATABASE notes OWNER notes_team;
\connect notes
CREATE EXTENSION vector;
-- Large objects need no right but this one to be made: a reader could fill the disk with them.
REVOKE EXECUTE ON FUNCTION lo_creat, lo_create, lo_from_bytea FROM PUBLIC;
