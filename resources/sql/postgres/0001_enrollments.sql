-- Keyspaces, enrolments, tombstones, workers and the answers to recent operations. Runs in the schema fremis_n, in one transaction.
-- stamp, writer, variation: unsigned 64-bit numbers shifted by 2^63 into the signed range, so that their order is kept.
-- All times: milliseconds since 1970. Texts compare byte by byte (COLLATE "C"); the database's encoding is UTF8.

-- One row for all workers of the database. registry_version rises with each change of what workers keep in memory
-- (keyspaces, spaces, horizons).
CREATE TABLE store_state (
    id               integer PRIMARY KEY CHECK (id = 1),
    partition_rule   text    NOT NULL,
    registry_version bigint  NOT NULL,
    space_id         integer
);

CREATE TABLE embedding_spaces (
    id        integer PRIMARY KEY,
    name      text    COLLATE "C" NOT NULL UNIQUE,
    dimension integer NOT NULL
);

-- Who writes which partitions, until when (expires_at, by the database's clock), and the last transaction of each: a worker that loses
-- its connection during COMMIT reads commit_token to learn what became of it.
CREATE TABLE nodes (
    node_id      bytea   PRIMARY KEY,
    holder       bytea   NOT NULL,
    partitions   bit(256) NOT NULL,
    expires_at   timestamptz NOT NULL,
    generation   bigint  NOT NULL,
    last_stamp   bigint  NOT NULL,
    last_writer  bigint  NOT NULL,
    commit_token bytea   NOT NULL
) WITH (fillfactor = 50);

-- Every life of every keyspace. Dead ones stay: they tell an old operation from an unknown one.
CREATE TABLE keyspaces (
    id               bigint  PRIMARY KEY,
    name             text    COLLATE "C" NOT NULL,
    incarnation      text    COLLATE "C" NOT NULL UNIQUE,
    created_stamp    bigint  NOT NULL,
    created_writer   bigint  NOT NULL,
    created_at       bigint  NOT NULL,
    threshold        double precision,
    threshold_stamp  bigint  NOT NULL,
    threshold_writer bigint  NOT NULL,
    dead             boolean NOT NULL
);

-- The version of the newest drop of a name.
CREATE TABLE keyspace_floors (
    name   text   COLLATE "C" PRIMARY KEY,
    stamp  bigint NOT NULL,
    writer bigint NOT NULL
);

-- STORAGE PLAIN keeps a row whole: out-of-line storage costs more than three times on load, and an embedding does not compress.
CREATE TABLE enrollments (
    keyspace_id bigint   NOT NULL,
    variation   bigint   NOT NULL,
    stamp       bigint   NOT NULL,
    writer      bigint   NOT NULL,
    created_at  bigint   NOT NULL,
    checksum    bigint   NOT NULL,
    norm        double precision NOT NULL,
    space_id    integer  NOT NULL,
    partition   smallint NOT NULL,
    face_id     text     COLLATE "C" NOT NULL,
    embedding   bytea    NOT NULL,
    PRIMARY KEY (keyspace_id, partition, face_id, variation)
);
ALTER TABLE enrollments ALTER COLUMN embedding SET STORAGE PLAIN, ALTER COLUMN face_id SET STORAGE PLAIN;
-- Vacuum by number of rows, not by share of the table: what was deleted leaves the disk within minutes of little traffic.
ALTER TABLE enrollments SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);

CREATE TABLE face_tombstones (
    keyspace_id bigint   NOT NULL,
    partition   smallint NOT NULL,
    face_id     text     COLLATE "C" NOT NULL,
    stamp       bigint   NOT NULL,
    writer      bigint   NOT NULL,
    PRIMARY KEY (keyspace_id, partition, face_id)
);

CREATE TABLE variation_tombstones (
    keyspace_id bigint   NOT NULL,
    partition   smallint NOT NULL,
    face_id     text     COLLATE "C" NOT NULL,
    variation   bigint   NOT NULL,
    stamp       bigint   NOT NULL,
    writer      bigint   NOT NULL,
    PRIMARY KEY (keyspace_id, partition, face_id, variation)
);

CREATE TABLE op_answers (
    op_id            bytea   PRIMARY KEY,
    recorded_at      bigint  NOT NULL,
    keyspace_id      bigint  NOT NULL,
    next_keyspace_id bigint,
    face_id          text    COLLATE "C" NOT NULL,
    variation        bigint  NOT NULL,
    stamp            bigint  NOT NULL,
    writer           bigint  NOT NULL,
    created          boolean NOT NULL,
    rows_removed     bigint  NOT NULL,
    faces_removed    bigint  NOT NULL
);
CREATE INDEX op_answers_by_time ON op_answers (recorded_at);
