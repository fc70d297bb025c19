-- Below its horizon a partition has lost its tombstones, so older operations are refused there. Settings: small values of the node.

CREATE TABLE delete_horizons (
    partition INTEGER PRIMARY KEY,
    stamp     INTEGER NOT NULL,
    writer    INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
