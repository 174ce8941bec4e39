import type { DuckDBConnection } from '@duckdb/node-api'
import { UsageError } from '#parse/usage-error.ts'

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
]

export const SCHEMA_VERSION = migrations.length

/** Creates the tables, or brings an older directory up to this program's version. */
export async function migrate(connection: DuckDBConnection, dir: string): Promise<void> {
  await connection.run('CREATE TABLE IF NOT EXISTS meta (key VARCHAR, value VARCHAR)')
  const found = await readMeta(connection)
  const version = Number(found.get('schema_version') ?? 0)
  if (version > SCHEMA_VERSION)
    throw new UsageError(
      `${dir} was written by a newer Forager (format ${version}; this program knows ${SCHEMA_VERSION}): update Forager or choose another --dir`,
    )
  for (const [from, statements] of migrations.entries()) {
    if (from < version) continue
    await connection.run('BEGIN')
    await connection.run(statements)
    await writeMeta(connection, 'schema_version', String(from + 1))
    await connection.run('COMMIT')
  }
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
