-- A team's database, version 1: tables that every profile has a partition of. All text in here has been through a member's
-- credential filter, and columns mean what they mean in profiles/store/schema/. Texts compare by their bytes, as in SQLite.
-- A profile's partitions are in a schema of its own, so that a statement that says `note` reads that profile's alone.

CREATE TABLE team_version (
    version integer NOT NULL
);

-- A number is never given twice: somebody may still ask for a profile that is gone.
CREATE TABLE team_profile (
    id         integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    name       text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Members' roles; made_here: Scrubjay made the role, and takes it away when its last grant goes.
CREATE TABLE team_member (
    member    name PRIMARY KEY,
    made_here boolean NOT NULL
);

-- Who may use which profile. The owner of the database alone writes here.
CREATE TABLE team_grant (
    profile integer NOT NULL REFERENCES team_profile (id) ON DELETE CASCADE,
    member  name NOT NULL REFERENCES team_member (member) ON DELETE CASCADE,
    PRIMARY KEY (profile, member)
);

-- The key of a profile's digests, wrapped for one member (profiles/team/team_key.py): nobody at the server can open it.
CREATE TABLE team_key (
    profile integer NOT NULL,
    member  name NOT NULL,
    wrapped bytea NOT NULL,
    PRIMARY KEY (profile, member),
    FOREIGN KEY (profile, member) REFERENCES team_grant (profile, member) ON DELETE CASCADE
);

CREATE TABLE meta (
    profile integer NOT NULL,
    name    text COLLATE "C" NOT NULL,
    value   text COLLATE "C" NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE note (
    profile      integer NOT NULL,
    id           bigint NOT NULL,
    vault        text COLLATE "C" NOT NULL,
    path         text COLLATE "C" NOT NULL,
    path_key     text COLLATE "C" NOT NULL,
    file_key     text COLLATE "C" NOT NULL,
    stem_key     text COLLATE "C" NOT NULL,
    title        text COLLATE "C" NOT NULL,
    title_tokens bigint NOT NULL,
    mtime_ns     bigint NOT NULL,
    changed_ns   bigint NOT NULL DEFAULT 0,
    size         bigint NOT NULL,
    digest       bytea NOT NULL,
    fingerprint  text COLLATE "C" NOT NULL,
    created_ns   bigint,
    lang         text COLLATE "C" NOT NULL,
    stemmed      text COLLATE "C" NOT NULL DEFAULT '',
    aliases      text COLLATE "C" NOT NULL,
    tags         text COLLATE "C" NOT NULL,
    properties   text COLLATE "C" NOT NULL,
    anchors      text COLLATE "C" NOT NULL DEFAULT '',
    redactions   bigint NOT NULL,
    payload      bigint NOT NULL DEFAULT 0,
    kind         text COLLATE "C" NOT NULL DEFAULT '',
    parts        bigint NOT NULL DEFAULT 0,
    passages     bigint NOT NULL DEFAULT 0,
    scans        bigint NOT NULL DEFAULT 0,
    version      bigint NOT NULL DEFAULT 0 -- the generation that wrote the row last
) PARTITION BY LIST (profile);

CREATE TABLE note_alias (
    profile   integer NOT NULL,
    alias_key text COLLATE "C" NOT NULL,
    note_id   bigint NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE note_tag (
    profile integer NOT NULL,
    tag_key text COLLATE "C" NOT NULL,
    note_id bigint NOT NULL,
    tag     text COLLATE "C" NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE note_property (
    profile   integer NOT NULL,
    name_key  text COLLATE "C" NOT NULL,
    note_id   bigint NOT NULL,
    position  bigint NOT NULL,
    name      text COLLATE "C" NOT NULL,
    value_key text COLLATE "C" NOT NULL,
    number    double precision
) PARTITION BY LIST (profile);

CREATE TABLE chunk (
    profile  integer NOT NULL,
    id       bigint NOT NULL,
    note_id  bigint NOT NULL,
    position bigint NOT NULL,
    digest   bytea NOT NULL,
    headings text COLLATE "C" NOT NULL,
    line     bigint NOT NULL,
    end_line bigint NOT NULL,
    place    text COLLATE "C" NOT NULL DEFAULT '',
    tokens   bigint NOT NULL,
    packed   text COLLATE "C" NOT NULL,
    version  bigint NOT NULL DEFAULT 0
) PARTITION BY LIST (profile);

-- Our own terms with their positions, for phrases: of a chunk's text and headings, and of what is said of a note by itself
-- and in the links of others.
CREATE TABLE chunk_words (
    profile  integer NOT NULL,
    chunk_id bigint NOT NULL,
    words    tsvector NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE note_words (
    profile integer NOT NULL,
    note_id bigint NOT NULL,
    own     tsvector NOT NULL,
    anchors tsvector NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE link (
    profile    integer NOT NULL,
    id         bigint NOT NULL,
    note_id    bigint NOT NULL,
    target     text COLLATE "C" NOT NULL,
    target_key text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    line       bigint NOT NULL,
    heading    text COLLATE "C" NOT NULL,
    block      text COLLATE "C" NOT NULL,
    text       text COLLATE "C" NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE stale_anchor (
    profile    integer NOT NULL,
    target_key text COLLATE "C" NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE redaction (
    profile  integer NOT NULL,
    note_id  bigint NOT NULL,
    line     bigint NOT NULL,
    "column" bigint NOT NULL,
    rule     text COLLATE "C" NOT NULL,
    length   bigint NOT NULL,
    standing text COLLATE "C" NOT NULL DEFAULT 'open',
    place    text COLLATE "C" NOT NULL DEFAULT ''
) PARTITION BY LIST (profile);

-- What a machine could not read of its own disk.
CREATE TABLE failure (
    profile    integer NOT NULL,
    member     name NOT NULL DEFAULT session_user,
    machine    text COLLATE "C" NOT NULL DEFAULT coalesce(current_setting('scrubjay.machine', true), ''),
    vault      text COLLATE "C" NOT NULL,
    path       text COLLATE "C" NOT NULL,
    code       text COLLATE "C" NOT NULL,
    reason     text COLLATE "C" NOT NULL,
    mtime_ns   bigint NOT NULL,
    size       bigint NOT NULL,
    changed_ns bigint NOT NULL DEFAULT 0,
    kind       text COLLATE "C" NOT NULL DEFAULT ''
) PARTITION BY LIST (profile);

CREATE TABLE model (
    profile     integer NOT NULL,
    id          bigint NOT NULL,
    fingerprint text COLLATE "C" NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE embedding (
    profile  integer NOT NULL,
    id       bigint NOT NULL,
    model_id bigint NOT NULL,
    digest   bytea NOT NULL,
    vector   bytea NOT NULL,  -- as in a file: what distances are measured with
    near     halfvec NOT NULL -- what candidates are chosen by
) PARTITION BY LIST (profile);

CREATE TABLE pending_embedding (
    profile  integer NOT NULL,
    mtime_ns bigint NOT NULL,
    digest   bytea NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE posting (
    profile integer NOT NULL,
    term    text COLLATE "C" NOT NULL,
    field   integer NOT NULL,
    shard   bigint NOT NULL,
    entries bytea NOT NULL
) PARTITION BY LIST (profile);

-- Rows of `note` (1) and `chunk` (2) that are gone, by the generation that took them away.
CREATE TABLE gone (
    profile integer NOT NULL,
    version bigint NOT NULL,
    kind    integer NOT NULL,
    id      bigint NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE journal (
    profile     integer NOT NULL,
    id          bigint NOT NULL,
    key         text COLLATE "C" NOT NULL,
    at_ns       bigint NOT NULL,
    author      text COLLATE "C" NOT NULL,
    client      text COLLATE "C" NOT NULL,
    tags        text COLLATE "C" NOT NULL,
    text        text COLLATE "C" NOT NULL,
    redactions  bigint NOT NULL,
    terms       text COLLATE "C" NOT NULL,
    replaced_by text COLLATE "C"
) PARTITION BY LIST (profile);

CREATE TABLE journal_vector (
    profile  integer NOT NULL,
    entry_id bigint NOT NULL,
    model    text COLLATE "C" NOT NULL,
    vector   bytea NOT NULL
) PARTITION BY LIST (profile);

-- What a member searched for is that member's to see: `member` is part of the rule for rows.
CREATE TABLE search_event (
    profile   integer NOT NULL,
    member    name NOT NULL DEFAULT session_user,
    id        bigint NOT NULL,
    at_ns     bigint NOT NULL,
    query     text COLLATE "C" NOT NULL,
    mode      text COLLATE "C" NOT NULL,
    results   bigint NOT NULL,
    took_ms   double precision NOT NULL,
    source    text COLLATE "C" NOT NULL DEFAULT '',
    client    text COLLATE "C" NOT NULL DEFAULT '',
    relevance text COLLATE "C" NOT NULL DEFAULT ''
) PARTITION BY LIST (profile);

CREATE TABLE search_opened (
    profile  integer NOT NULL,
    member   name NOT NULL DEFAULT session_user,
    event_id bigint NOT NULL,
    path     text COLLATE "C" NOT NULL,
    at_ns    bigint NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE decision (
    profile     integer NOT NULL,
    vault       text COLLATE "C" NOT NULL,
    path        text COLLATE "C" NOT NULL,
    digest      text COLLATE "C" NOT NULL,
    standing    text COLLATE "C" NOT NULL,
    note_digest bytea,
    gone_ns     bigint NOT NULL DEFAULT 0
) PARTITION BY LIST (profile);

CREATE TABLE recognised (
    profile integer NOT NULL,
    digest  bytea NOT NULL,
    reader  text COLLATE "C" NOT NULL,
    packed  text COLLATE "C" NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE query_matrix (
    profile integer NOT NULL,
    model   text COLLATE "C" NOT NULL,
    pairs   bigint NOT NULL,
    ridge   double precision NOT NULL,
    before  double precision NOT NULL,
    gain    double precision NOT NULL,
    low     double precision NOT NULL,
    high    double precision NOT NULL,
    shift   double precision NOT NULL,
    matrix  bytea NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE stemmed_language (
    profile integer NOT NULL,
    code    text COLLATE "C" NOT NULL,
    notes   bigint NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE review_answer (
    profile integer NOT NULL,
    key     text COLLATE "C" NOT NULL,
    kind    text COLLATE "C" NOT NULL,
    vault   text COLLATE "C" NOT NULL,
    path    text COLLATE "C" NOT NULL,
    subject bytea NOT NULL,
    digest  bytea NOT NULL,
    sketch  bytea NOT NULL,
    answer  text COLLATE "C" NOT NULL,
    chosen  text COLLATE "C" NOT NULL,
    at_ns   bigint NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE review_suggestion (
    profile integer NOT NULL,
    key     text COLLATE "C" NOT NULL,
    note_id bigint NOT NULL,
    client  text COLLATE "C" NOT NULL,
    name    text COLLATE "C" NOT NULL,
    at_ns   bigint NOT NULL,
    why     text COLLATE "C" NOT NULL,
    changes text COLLATE "C" NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE note_sketch (
    profile integer NOT NULL,
    note_id bigint NOT NULL,
    sketch  bytea NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE stale_sketch (
    profile integer NOT NULL,
    note_id bigint NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE shared_runs (
    profile integer NOT NULL,
    id      bigint NOT NULL,
    version text COLLATE "C" NOT NULL,
    runs    bytea NOT NULL,
    changed bigint NOT NULL
) PARTITION BY LIST (profile);

CREATE TABLE near_copy (
    profile  integer NOT NULL,
    note_id  bigint NOT NULL,
    other_id bigint NOT NULL,
    likeness double precision NOT NULL
) PARTITION BY LIST (profile);

-- Which machine writes a note: one at a time. A machine that has not been seen for a while holds nothing.
CREATE TABLE machine (
    profile integer NOT NULL,
    id      text COLLATE "C" NOT NULL,
    member  name NOT NULL DEFAULT session_user,
    seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    model   text COLLATE "C" NOT NULL DEFAULT '' -- that it embeds with; it changes that of all when its own changes
) PARTITION BY LIST (profile);

CREATE TABLE note_lease (
    profile     integer NOT NULL,
    vault       text COLLATE "C" NOT NULL,
    path        text COLLATE "C" NOT NULL,
    machine     text COLLATE "C" NOT NULL,
    clock_ns    bigint NOT NULL, -- when these bytes were written; later than any that were here before
    fingerprint text COLLATE "C" NOT NULL -- what the machine would prepare the note with
) PARTITION BY LIST (profile);

-- Notes that were deleted, so that a machine that has an old copy does not bring them back.
CREATE TABLE tombstone (
    profile  integer NOT NULL,
    vault    text COLLATE "C" NOT NULL,
    path     text COLLATE "C" NOT NULL,
    digest   bytea NOT NULL,
    clock_ns bigint NOT NULL, -- as its lease's
    machine  text COLLATE "C" NOT NULL, -- where it was deleted
    gone_at  timestamptz NOT NULL DEFAULT clock_timestamp()
) PARTITION BY LIST (profile);

-- Functions that SQLite has and statements of both engines use.

CREATE FUNCTION carray(bigint[]) RETURNS TABLE (value bigint) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 100 AS 'SELECT unnest($1)';
CREATE FUNCTION json_each(text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 100
    AS 'SELECT jsonb_array_elements_text($1::jsonb)';
CREATE FUNCTION unhex(text) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT decode($1, ''hex'')';
CREATE FUNCTION unpacked(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT $1';
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT strpos($1, $2)';
CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT greatest($1, $2)';
-- Pattern first, as in SQLite: a star, a question mark, sets in brackets ("[[]" is a bracket); all else is itself.
CREATE FUNCTION glob(text, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT $2 ~ ('^(?:' || replace(replace(replace(
        regexp_replace(replace($1, '[[]', E'\x01'), '([.^$+(){}|\\])', '\\\1', 'g'),
        '*', '.*'), '?', '.'), E'\x01', '\[') || ')$')
$$;
