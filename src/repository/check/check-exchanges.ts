import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from './part.ts'
import { readWholeTables } from './read-tables.ts'

/** Whether the WARC files that the tables name are there, as far as they say. */
export const exchangesPart: Part = {
  name: 'places of exchanges',
  paths: [],
  whileCrawling: false,
  check: async ({ dir, warcDir }) => {
    const tables = await readWholeTables(dir)
    if ('problem' in tables) return [] // said already
    return [...tables.exchanges].flatMap(([file, lastOffset]) => {
      const size = statSync(join(warcDir, file), { throwIfNoEntry: false })?.size
      if (size !== undefined && size > lastOffset) return []
      const problem =
        size === undefined
          ? 'it is missing'
          : `it ends at ${size}, before an exchange at ${lastOffset}`
      return [{ file: join(warcDir, file), problem, lost: 'exchanges that the tables name' }]
    })
  },
  repair: async () => [],
}
