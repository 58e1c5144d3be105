-- Run once by psql as the superuser, when the server has no data yet: the team's database and the role that owns it.
\set ON_ERROR_STOP on
\set password `cat /run/secrets/owner_password`
CREATE ROLE owner LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE notes OWNER owner;
\connect notes
CREATE EXTENSION vector;
