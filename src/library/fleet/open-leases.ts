import { setTimeout as sleep } from 'node:timers/promises'
import type { Leases } from '#crawl/leases/leases.ts'
import { SettingError } from '#errors/setting-error.ts'
import { openPostgresLeases } from '#repository/leases/postgres-leases.ts'
import { openSegments } from '#repository/segments/open-segments.ts'
import type { Settings } from '../settings/settings.ts'

const USUAL_SCHEMA = 'forager'

/** Errors of a database that is not there yet, or just starts: it may come. */
const AWAY =
  /^(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENOENT|57P0[123])$/
const AWAY_TEXT = /connection timeout|connection terminated|timeout exceeded|read timeout/i
const RETRY_MS = 1_000

/** Whoever waits for a database that is away. */
interface Waiting {
  readonly onAway: (error: Error) => void
  readonly signal: AbortSignal
  readonly retryMs?: number
}

/** Where a fleet meets: a database and a store. A database that is away is waited for, if somebody does. */
export async function openFleetPlaces(
  { leases, store }: Pick<Settings, 'leases' | 'store'>,
  waiting?: Waiting,
) {
  if (leases === undefined)
    throw new SettingError('leases', 'workers need a database to meet at: add {leases}')
  if (store === undefined)
    throw new SettingError(
      'store',
      '{leases} goes with {store}: name a folder that all machines see',
    )
  const opened = await whenThere(() => openLeases(leases), waiting)
  try {
    return { leases: opened, store: await openSegments(store) }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Does what needs a database, again and again while that is away. */
export async function whenThere<T>(
  work: () => Promise<T>,
  waiting: Waiting | undefined,
): Promise<T> {
  for (;;)
    try {
      return await work()
    } catch (error) {
      const { cause = error } = error as { cause?: unknown }
      const { code = '', message = '' } = cause as { code?: string; message?: string }
      const isAway = AWAY.test(code) || AWAY_TEXT.test(message)
      if (!waiting || !isAway || waiting.signal.aborted) throw error
      waiting.onAway(cause as Error)
      await sleep(waiting.retryMs ?? RETRY_MS, undefined, { signal: waiting.signal }).catch(
        () => {},
      )
    }
}

/** Opens the leases of a crawl; the schema that an address names by `?schema=` tells crawls of one database apart. */
export async function openLeases(address: string): Promise<Leases> {
  const url = new URL(address)
  const schema = url.searchParams.get('schema') ?? USUAL_SCHEMA
  url.searchParams.delete('schema')
  try {
    return await openPostgresLeases({ url: url.href, schema })
  } catch (cause) {
    if (cause instanceof SettingError) throw cause
    const { message, code = '' } = cause as Error & { code?: string }
    const reason = message === '' ? code : message
    throw new SettingError('leases', `{leases}: the database does not let us in (${reason})`, {
      cause,
    })
  }
}
