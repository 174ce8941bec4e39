import { columnsFrom, defineTable } from '../database/define-table.ts'

/** What is remembered of a host or an origin, as JSON; the latest row counts, and '' means that it is forgotten. */
interface Remembered {
  readonly key: string
  readonly savedAt: number
  readonly text: string
}

function defineMemory<Name extends string>(name: Name, key: string, text: string) {
  const column = columnsFrom<Remembered>()
  const keys = column.text((row) => row.key)
  const texts = column.text((row) => row.text)
  const savedAt = column.double((row) => row.savedAt)
  const columns = { [key]: keys, saved_at: savedAt, [text]: texts }
  return { ...defineTable(name, columns), name, key, text }
}

/** What a fetcher must not forget between runs. */
export const HOST_STATE = defineMemory('host_state', 'host', 'state')
export const ROBOTS = defineMemory('robots', 'origin', 'record')
export const HOST_TRUST = defineMemory('host_trust', 'host', 'trust')

export type MemoryTable = typeof HOST_STATE | typeof ROBOTS | typeof HOST_TRUST
