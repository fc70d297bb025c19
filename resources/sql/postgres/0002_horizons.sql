-- Below its horizon a partition has lost its tombstones, so older operations are refused there. Settings: small values of a node.

CREATE TABLE delete_horizons (
    partition smallint PRIMARY KEY,
    stamp     bigint   NOT NULL,
    writer    bigint   NOT NULL
);

CREATE TABLE settings (
    node_id bytea NOT NULL,
    key     text  COLLATE "C" NOT NULL,
    value   text  NOT NULL,
    PRIMARY KEY (node_id, key)
);
