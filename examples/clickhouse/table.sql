-- One wide, immutable table: a row for each message of the fleet. The columns are what questions filter and group by; payload is
-- the agent's own JSON, for everything else.
CREATE DATABASE IF NOT EXISTS gantry;

CREATE TABLE IF NOT EXISTS gantry.events
(
    stream     LowCardinality(String),
    seq        UInt64,                       -- of the stream on the hub: where the consumer goes on
    at         DateTime64(3, 'UTC'),         -- when the host published it
    host       LowCardinality(String),
    agent      LowCardinality(String),
    type       LowCardinality(String),
    native     LowCardinality(String),
    session    String,
    id         String,
    tool       LowCardinality(String),
    command    String CODEC(ZSTD(3)),
    file       String CODEC(ZSTD(3)),
    cwd        String CODEC(ZSTD(3)),
    prompt     String CODEC(ZSTD(3)),
    error      String CODEC(ZSTD(3)),
    is_failure Bool,
    decision   LowCardinality(String),
    payload    String CODEC(ZSTD(6))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (host, session, at, seq)
SETTINGS non_replicated_deduplication_window = 1000; -- a batch that is sent again counts once
