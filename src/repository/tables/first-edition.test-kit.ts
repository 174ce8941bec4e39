import { openDatabase } from '../database/open-database.ts'
import { writeMeta } from './schema.ts'

/** How 0.1.0 made its tables: with all that had come since it began. */
const TABLES = `
  CREATE TABLE meta (key VARCHAR, value VARCHAR);
  CREATE TABLE url (
    id BIGINT, hash BIGINT, url VARCHAR, host_id BIGINT,
    depth BIGINT, source VARCHAR, first_seen DOUBLE
  );
  CREATE TABLE host (id BIGINT, name VARCHAR, domain VARCHAR);
  CREATE TABLE fetch_log (
    id BIGINT, cycle BIGINT, url_id BIGINT, fetched_at DOUBLE, purpose VARCHAR, predicted_gain DOUBLE,
    outcome VARCHAR, status BIGINT, reason VARCHAR, cost BIGINT, bytes BIGINT, ms DOUBLE,
    changed BOOLEAN, new_urls BIGINT, retry_at DOUBLE
  );
  CREATE TABLE page (
    url_id BIGINT, fetch_id BIGINT, fetched_at DOUBLE, content_hash VARCHAR, etag VARCHAR,
    last_modified VARCHAR, title VARCHAR, language VARCHAR, text_length BIGINT, canonical VARCHAR,
    noindex BOOLEAN, nofollow BOOLEAN
  );
  CREATE TABLE link (src BIGINT, fetch_id BIGINT, dst BIGINT, anchor_id BIGINT, rel BIGINT);
  CREATE TABLE anchor (id BIGINT, text VARCHAR);
  CREATE TABLE cycle (
    cycle BIGINT, started_at DOUBLE, ended_at DOUBLE, planned BIGINT, fetched BIGINT
  );
  ALTER TABLE url ADD COLUMN pattern BIGINT;
  ALTER TABLE fetch_log ADD COLUMN fresh BOOLEAN;
  ALTER TABLE fetch_log ADD COLUMN claim_right BOOLEAN;
  ALTER TABLE fetch_log ADD COLUMN postponed BOOLEAN;
  ALTER TABLE fetch_log ADD COLUMN warc_file VARCHAR;
  ALTER TABLE fetch_log ADD COLUMN warc_offset BIGINT;
  ALTER TABLE page ADD COLUMN form VARCHAR;
  ALTER TABLE page ADD COLUMN fingerprint BIGINT;
  ALTER TABLE page ADD COLUMN simhash BIGINT;
  ALTER TABLE page ADD COLUMN words BIGINT;
  ALTER TABLE page ADD COLUMN duplicate_of BIGINT;
  ALTER TABLE page ADD COLUMN soft_error BOOLEAN;
  ALTER TABLE page ADD COLUMN content_usage VARCHAR;
  ALTER TABLE page ADD COLUMN noarchive BOOLEAN;
  ALTER TABLE page ADD COLUMN nosnippet BOOLEAN;
  ALTER TABLE page ADD COLUMN unavailable_after DOUBLE;
  CREATE TABLE change_claim (url_id BIGINT, hub_id BIGINT, changed_at DOUBLE, seen_at DOUBLE);
  CREATE TABLE host_state (host VARCHAR, saved_at DOUBLE, state VARCHAR);
  CREATE TABLE robots (origin VARCHAR, saved_at DOUBLE, record VARCHAR);
  CREATE TABLE query_import (
    id BIGINT, format VARCHAR, file VARCHAR, sha256 VARCHAR, bytes BIGINT, imported_at DOUBLE,
    half_life DOUBLE, options VARCHAR, lines BIGINT, skipped BIGINT
  );
  CREATE TABLE query (id BIGINT, text VARCHAR);
  CREATE TABLE asked (
    query_id BIGINT, import_id BIGINT, asked_at DOUBLE, count DOUBLE, name VARCHAR
  );
  CREATE TABLE impression (
    query_id BIGINT, import_id BIGINT, seen_at DOUBLE, url VARCHAR, rank DOUBLE, score DOUBLE,
    name VARCHAR
  );
  CREATE TABLE click (
    query_id BIGINT, import_id BIGINT, clicked_at DOUBLE, url VARCHAR, rank DOUBLE, count DOUBLE,
    weight DOUBLE, name VARCHAR
  );
  CREATE TABLE judgment (query_id BIGINT, import_id BIGINT, url VARCHAR, grade DOUBLE);
  CREATE TABLE query_progress (
    cycle BIGINT, query VARCHAR, average_score DOUBLE, new_results BIGINT
  );
  ALTER TABLE fetch_log ADD COLUMN realised_gain DOUBLE;
  ALTER TABLE url ADD COLUMN found_by BIGINT;
  ALTER TABLE fetch_log ADD COLUMN content_changed BOOLEAN;
  ALTER TABLE fetch_log ADD COLUMN new_links BIGINT;
  ALTER TABLE fetch_log ADD COLUMN found_before BIGINT;
  ALTER TABLE fetch_log ADD COLUMN rival_id BIGINT;
  ALTER TABLE fetch_log ADD COLUMN in_links BIGINT;
  ALTER TABLE fetch_log ADD COLUMN unclaimed BOOLEAN;
  ALTER TABLE fetch_log ADD COLUMN clicks DOUBLE;
  ALTER TABLE fetch_log ADD COLUMN bid DOUBLE;
  ALTER TABLE fetch_log ADD COLUMN bid_acquire DOUBLE;
  ALTER TABLE fetch_log ADD COLUMN bid_refresh DOUBLE;
  ALTER TABLE fetch_log ADD COLUMN bid_discover DOUBLE;
  ALTER TABLE fetch_log ADD COLUMN probability DOUBLE;
  ALTER TABLE fetch_log ADD COLUMN thought_acquire DOUBLE;
  ALTER TABLE fetch_log ADD COLUMN thought_refresh DOUBLE;
  ALTER TABLE fetch_log ADD COLUMN thought_links DOUBLE;
  ALTER TABLE cycle ADD COLUMN price DOUBLE;
  CREATE TABLE host_trust (host VARCHAR, saved_at DOUBLE, trust VARCHAR);
`

/** Tables as 0.1.0 made them, with some rows. */
export async function makeOldTables(dir: string, rows = ''): Promise<void> {
  const { connection, close } = await openDatabase(dir)
  try {
    await connection.run(TABLES)
    await writeMeta(connection, 'schema_version', '6')
    if (rows) await connection.run(rows)
  } finally {
    close()
  }
}
