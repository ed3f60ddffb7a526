/**
 * The schema, one step a version: `PRAGMA user_version` tells how many have run. A step is never edited once released.
 * Bulk tables are keyed `slot * 2^24 + series`: they grow at their end, and old time leaves in whole pages.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;

  -- kind is an index into TRANSITION_SUBJECTS; samples belong to the series of their node
  CREATE TABLE series(id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, key TEXT NOT NULL, UNIQUE(kind, key));
  -- the names that a service reports, numbered within the service; target is the series of the node meant
  CREATE TABLE component(series INTEGER, n INTEGER, name TEXT NOT NULL, target INTEGER, PRIMARY KEY(series, n)) WITHOUT ROWID;

  CREATE TABLE transition(id INTEGER PRIMARY KEY, series INTEGER NOT NULL, at INTEGER NOT NULL, was INTEGER, became INTEGER NOT NULL, reason TEXT, incident INTEGER);
  CREATE INDEX transition_series ON transition(series, at, became);
  CREATE INDEX transition_at ON transition(at);
  CREATE TABLE gap(id INTEGER PRIMARY KEY, start INTEGER NOT NULL, stop INTEGER NOT NULL);

  CREATE TABLE incident(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, opened_at INTEGER NOT NULL, resolved_at INTEGER, body TEXT NOT NULL);
  CREATE INDEX incident_open ON incident(id) WHERE resolved_at IS NULL;
  CREATE INDEX incident_resolved ON incident(resolved_at);
  -- each incident as it stood when it was shown
  CREATE TABLE incident_version(incident INTEGER, n INTEGER, at INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY(incident, n));
  CREATE INDEX incident_version_at ON incident_version(at, incident);
  -- kind 0: nodes that an incident touches, 1: systems
  CREATE TABLE incident_of(kind INTEGER, key TEXT, incident INTEGER, PRIMARY KEY(kind, key, incident)) WITHOUT ROWID;
  CREATE INDEX incident_of_incident ON incident_of(incident);
  CREATE TABLE incident_event(id INTEGER PRIMARY KEY, incident INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, node TEXT, text TEXT NOT NULL, by TEXT);
  CREATE INDEX incident_event_of ON incident_event(incident, id);

  CREATE TABLE revision(revision INTEGER PRIMARY KEY, accepted_at INTEGER NOT NULL, hash TEXT NOT NULL, commit_id TEXT, summary TEXT NOT NULL);
  CREATE TABLE revision_file(revision INTEGER, n INTEGER, path TEXT NOT NULL, text BLOB NOT NULL, PRIMARY KEY(revision, n)) WITHOUT ROWID;
  CREATE TABLE map_text(hash BLOB PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE change(id INTEGER PRIMARY KEY, at INTEGER NOT NULL, node TEXT, text TEXT NOT NULL, link TEXT, by TEXT);
  CREATE INDEX change_at ON change(at);

  -- what damping needs after a restart, all of one node in one row; seq is the newest transition it includes
  CREATE TABLE state(node TEXT PRIMARY KEY, seq INTEGER NOT NULL, data TEXT NOT NULL);

  -- samples of the open slots as they arrived; then, per slot and node: polls, dependencies, minutes; per hour and node
  -- the hour's own tally and that of its dependencies; all but dep are packed once their hour or day is over
  CREATE TABLE tail(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE raw(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE dep(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE minute(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE hour(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE dep_hour(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE raw_pack(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE minute_pack(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE hour_pack(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE dep_pack(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE done(tier INTEGER, slot INTEGER, PRIMARY KEY(tier, slot)) WITHOUT ROWID;
  `,
  `
  -- work announced while running; nodes is a JSON array of ids
  CREATE TABLE work(id INTEGER PRIMARY KEY, nodes TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, reason TEXT NOT NULL, by TEXT, announced_at INTEGER NOT NULL, ended_by TEXT);
  CREATE INDEX work_stop ON work(stop);
  `,
  `
  -- what polls said, as runs of equal ones: per hour and node, then per day and node; kept as long as changes
  CREATE TABLE run(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  CREATE TABLE run_day(key INTEGER PRIMARY KEY, data BLOB NOT NULL);
  `,
];

/** The version that this build reads and writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;
