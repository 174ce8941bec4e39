import pg from 'pg'
import { rounded } from '../harness/cost.ts'

/** Settings with which a server counts what each statement takes, those within functions too. */
export const COUNTED = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=all',
  'pg_stat_statements.track_planning=on',
]

export async function countStatements(url: string): Promise<void> {
  await ask(url, 'CREATE EXTENSION pg_stat_statements')
}

/** What took longest since then, in milliseconds; what a function takes is in its callers, too. Waits count as well. */
export async function dearestStatements(url: string, most: number) {
  const rows = await ask(
    url,
    `SELECT calls, total_exec_time AS ms, total_plan_time AS planning, toplevel, query
     FROM pg_stat_statements ORDER BY total_exec_time + total_plan_time DESC LIMIT ${most}`,
  )
  return rows.map(({ calls, ms, planning, toplevel, query }) => ({
    ...{ calls: Number(calls), ms: rounded(ms as number), planning: rounded(planning as number) },
    query: `${toplevel ? '' : '  '}${(query as string).replace(/\s+/g, ' ').slice(0, 110)}`,
  }))
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
