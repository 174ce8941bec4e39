/**
 * Keeps the numbers of results that documents show: one small file, a line a row, means over all that is not named.
 *
 *     node scripts/store-result.ts NAME --by archive,policy,size --keep maxNdcg RESULT.json …
 *
 * Fields of `--by` come from the rows, or from the result (as `scoring` does). With `--step size` rows get a field
 * `step`, the place of their size among all of the result. `npm run docs` then fills the tables.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { groupsBy, meanOf } from '#lab/report/rows.ts'
import { DATA } from './result-tables.ts'

type Row = Readonly<Record<string, unknown>>

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    by: { type: 'string', default: '' },
    keep: { type: 'string', default: '' },
    table: { type: 'string', default: 'rows' },
    step: { type: 'string' },
  },
})
const [name, ...files] = positionals
const [by, keep] = [values.by, values.keep].map((text) => text.split(','))
const results = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Row)
const rows = results.flatMap((result): Row[] => {
  const own = result[values.table] as Row[]
  const { step = '' } = values
  const places = [...new Set(own.map((row) => row[step] as number))].sort((a, b) => a - b)
  return own.map((row) => ({ ...result, step: places.indexOf(row[step] as number) + 1, ...row }))
})
const stored = Array.from(
  groupsBy(rows, (row) => JSON.stringify(by.map((field) => row[field]))).values(),
  (own) => ({
    ...Object.fromEntries(by.map((field) => [field, own[0][field]])),
    ...Object.fromEntries(keep.map((field) => [field, rounded(meanOf(own, field))])),
  }),
)
const { experiment, seed } = results[0]
const facts = JSON.stringify({ experiment, seed, results: files.length })
mkdirSync(DATA, { recursive: true })
const lines = stored.map((row) => `  ${JSON.stringify(row)}`).join(',\n')
writeFileSync(join(DATA, `${name}.json`), `${facts.slice(0, -1)},"rows":[\n${lines}\n]}\n`)

/** More digits than a document shows, and fewer than a float has. */
function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toPrecision(5))
}
