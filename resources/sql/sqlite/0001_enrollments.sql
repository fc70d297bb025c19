-- Keyspaces, enrolments, tombstones and the answers to recent operations.
-- stamp, writer, variation: unsigned 64-bit numbers shifted by 2^63 into the signed range, so that their order is kept.
-- All times: milliseconds since 1970. Runs in one transaction; `PRAGMA user_version` then names the last file that ran.

CREATE TABLE store_state (
    id             INTEGER PRIMARY KEY CHECK (id = 1),
    partition_rule TEXT    NOT NULL,
    node_id        BLOB    NOT NULL,
    generation     INTEGER NOT NULL,
    last_stamp     INTEGER NOT NULL,
    last_writer    INTEGER NOT NULL,
    space_id       INTEGER REFERENCES embedding_spaces (id)
) STRICT;

CREATE TABLE embedding_spaces (
    id        INTEGER PRIMARY KEY,
    name      TEXT    NOT NULL UNIQUE,
    dimension INTEGER NOT NULL
) STRICT;

-- Every life of every keyspace. Dead ones stay: they tell an old operation from an unknown one.
CREATE TABLE keyspaces (
    id               INTEGER PRIMARY KEY,
    name             TEXT    NOT NULL,
    incarnation      TEXT    NOT NULL UNIQUE,
    created_stamp    INTEGER NOT NULL,
    created_writer   INTEGER NOT NULL,
    created_at       INTEGER NOT NULL,
    threshold        REAL,
    threshold_stamp  INTEGER NOT NULL,
    threshold_writer INTEGER NOT NULL,
    dead             INTEGER NOT NULL
) STRICT;

-- The version of the newest drop of a name.
CREATE TABLE keyspace_floors (
    name   TEXT    PRIMARY KEY,
    stamp  INTEGER NOT NULL,
    writer INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A rowid table: rows are appended, and a load at start reads them one after the other.
CREATE TABLE enrollments (
    row_number  INTEGER PRIMARY KEY,
    keyspace_id INTEGER NOT NULL,
    partition   INTEGER NOT NULL,
    face_id     TEXT    NOT NULL,
    variation   INTEGER NOT NULL,
    stamp       INTEGER NOT NULL,
    writer      INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    space_id    INTEGER NOT NULL,
    norm        REAL    NOT NULL,
    checksum    INTEGER NOT NULL,
    embedding   BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX enrollments_key ON enrollments (keyspace_id, partition, face_id, variation);

CREATE TABLE face_tombstones (
    keyspace_id INTEGER NOT NULL,
    partition   INTEGER NOT NULL,
    face_id     TEXT    NOT NULL,
    stamp       INTEGER NOT NULL,
    writer      INTEGER NOT NULL,
    PRIMARY KEY (keyspace_id, partition, face_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE variation_tombstones (
    keyspace_id INTEGER NOT NULL,
    partition   INTEGER NOT NULL,
    face_id     TEXT    NOT NULL,
    variation   INTEGER NOT NULL,
    stamp       INTEGER NOT NULL,
    writer      INTEGER NOT NULL,
    PRIMARY KEY (keyspace_id, partition, face_id, variation)
) STRICT, WITHOUT ROWID;

CREATE TABLE op_answers (
    op_id            BLOB    PRIMARY KEY,
    recorded_at      INTEGER NOT NULL,
    keyspace_id      INTEGER NOT NULL,
    next_keyspace_id INTEGER,
    face_id          TEXT    NOT NULL,
    variation        INTEGER NOT NULL,
    stamp            INTEGER NOT NULL,
    writer           INTEGER NOT NULL,
    created          INTEGER NOT NULL,
    rows_removed     INTEGER NOT NULL,
    faces_removed    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX op_answers_by_time ON op_answers (recorded_at);
