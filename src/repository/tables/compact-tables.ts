import type { DuckDBConnection } from '@duckdb/node-api'
import { countRows } from '../database/named-rows.ts'
import { transaction } from '../database/transaction.ts'
import { REMEMBERED_CYCLES } from './query-tables.ts'

/** A table whose older rows say nothing any more, and which rows still do. */
interface Wasteful {
  readonly table: string
  readonly current: string
  /** Less waste than this is not worth the trouble. */
  readonly leastWaste: number
}

/** The fetches that brought what each URL has now: page, links, or that it is gone. */
const CURRENT_FETCHES = 'SELECT max(id) FROM fetch_log WHERE changed GROUP BY url_id'

const LINKS: Wasteful = {
  table: 'link',
  current: `fetch_id IN (${CURRENT_FETCHES})`,
  leastWaste: 100_000,
}
const OTHERS: readonly Wasteful[] = [
  {
    table: 'change_claim',
    current:
      'rowid IN (SELECT arg_max(rowid, changed_at) FROM change_claim GROUP BY url_id, hub_id)',
    leastWaste: 100_000,
  },
  latestOf('robots', 'origin'),
  latestOf('host_state', 'host'),
  latestOf('host_trust', 'host'),
  {
    table: 'query_progress',
    current: `cycle > (SELECT max(cycle) FROM query_progress) - ${REMEMBERED_CYCLES}`,
    leastWaste: 100_000,
  },
]

function latestOf(table: string, key: string): Wasteful {
  const current = `rowid IN (SELECT max(rowid) FROM ${table} GROUP BY ${key})`
  return { table, current, leastWaste: 1_000 }
}

/**
 * Drops rows that later ones have replaced, where they are the greater part: so a directory grows with what it
 * knows and with the log of its fetches, not with everything that links and sitemaps ever said. Waste is left
 * alone while it is small, or no more than `leastWaste` rows. Gives the names of the tables written anew.
 */
export async function compactTables(
  connection: DuckDBConnection,
  currentLinks: number,
  leastWaste?: number,
): Promise<string[]> {
  const compacted: string[] = []
  const compactIf = async (wasteful: Wasteful, kept: () => Promise<number>) => {
    const least = leastWaste ?? wasteful.leastWaste
    const all = await countRows(connection, wasteful.table)
    if (all <= least) return
    const current = await kept()
    if (all - current <= Math.max(least, current)) return
    await writeAnew(connection, wasteful)
    compacted.push(wasteful.table)
  }
  await compactIf(LINKS, async () => currentLinks)
  for (const wasteful of OTHERS)
    await compactIf(wasteful, () =>
      countRows(connection, `${wasteful.table} WHERE ${wasteful.current}`),
    )
  return compacted
}

/** A table that is made anew gives its room back; one whose rows are deleted may not. */
async function writeAnew(
  connection: DuckDBConnection,
  { table, current }: Wasteful,
): Promise<void> {
  await transaction(connection, async () => {
    // Who reads them back counts on the order in which they were appended.
    await connection.run(
      `CREATE TABLE compacted AS SELECT * FROM ${table} WHERE ${current} ORDER BY rowid`,
    )
    await connection.run(`DROP TABLE ${table}`)
    await connection.run(`ALTER TABLE compacted RENAME TO ${table}`)
  })
}
