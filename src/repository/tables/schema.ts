import type { DuckDBConnection } from '@duckdb/node-api'
import { UsageError } from '#errors/usage-error.ts'

/**
 * The tables of `state.duckdb`. All grow by appending only; the present (a URL's state, a page's
 * links) is the latest row. Types are the portable few: BIGINT, DOUBLE, VARCHAR, BOOLEAN; times are
 * seconds since 1970. `migrations[n]` takes a directory from version n to n + 1.
 */
const migrations: readonly string[] = [
  `
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
  `,
  `
  ALTER TABLE url ADD COLUMN pattern BIGINT;
  ALTER TABLE fetch_log ADD COLUMN fresh BOOLEAN;
  ALTER TABLE fetch_log ADD COLUMN claim_right BOOLEAN;
  ALTER TABLE fetch_log ADD COLUMN postponed BOOLEAN;
  ALTER TABLE fetch_log ADD COLUMN warc_file VARCHAR;
  ALTER TABLE fetch_log ADD COLUMN warc_offset BIGINT;
  UPDATE fetch_log SET fresh = changed;
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
  `,
  `
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
  `,
  'ALTER TABLE fetch_log ADD COLUMN realised_gain DOUBLE',
  `
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
  UPDATE fetch_log SET content_changed = changed;
  ALTER TABLE cycle ADD COLUMN price DOUBLE;
  `,
  'CREATE TABLE host_trust (host VARCHAR, saved_at DOUBLE, trust VARCHAR)',
]

export const SCHEMA_VERSION = migrations.length

/** Creates the tables, or brings an older directory up to this program's version. */
export async function migrate(
  connection: DuckDBConnection,
  dir: string,
  target = SCHEMA_VERSION,
): Promise<void> {
  const version = await storedVersion(connection, dir)
  await connection.run('CREATE TABLE IF NOT EXISTS meta (key VARCHAR, value VARCHAR)')
  for (const [from, statements] of migrations.entries()) {
    if (from < version || from >= target) continue
    await connection.run('BEGIN')
    await connection.run(statements)
    await writeMeta(connection, 'schema_version', String(from + 1))
    await connection.run('COMMIT')
  }
}

/** The version of a directory's tables, 0 before there are any; complains about those this program cannot know. */
export async function storedVersion(connection: DuckDBConnection, dir: string): Promise<number> {
  const columns = await columnNames(connection)
  if (await isForeign(connection, columns))
    throw new UsageError(
      `${dir} has a state.duckdb that Forager did not make: choose another --dir`,
    )
  if (columns.length === 0) return 0
  const version = Number((await readMeta(connection)).get('schema_version') ?? 0)
  if (version > SCHEMA_VERSION)
    throw new UsageError(
      `${dir} was written by a newer Forager (format ${version}; this program knows ${SCHEMA_VERSION}): update Forager or choose another --dir`,
    )
  return version
}

async function columnNames(connection: DuckDBConnection): Promise<string[]> {
  const columns = await connection.runAndReadAll(
    "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'main'",
  )
  return columns.getRows().map(([name]) => String(name))
}

/** Whether another program's tables are here; our own always come with a `meta` that knows them. */
async function isForeign(connection: DuckDBConnection, names: readonly string[]): Promise<boolean> {
  if (names.length === 0) return false
  if (!names.includes('meta.key') || !names.includes('meta.value')) return true
  const isEmpty = names.every((name) => name.startsWith('meta.'))
  return !isEmpty && !(await readMeta(connection)).has('schema_version')
}

/** The directory's own settings, by key. */
export async function readMeta(connection: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await connection.runAndReadAll('SELECT key, value FROM meta')
  return new Map(rows.getRows().map(([key, value]) => [String(key), String(value)]))
}

export async function writeMeta(
  connection: DuckDBConnection,
  key: string,
  value: string,
): Promise<void> {
  await connection.run('DELETE FROM meta WHERE key = $key', { key })
  await connection.run('INSERT INTO meta VALUES ($key, $value)', { key, value })
}
