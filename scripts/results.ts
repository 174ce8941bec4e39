/**
 * Fills the marked tables of docs/results, of all documents or of those named, from stored results.
 *
 *     npm run results                                    # from docs/results/data
 *     npm run results -- --from FOLDER [refresh.md …]    # after storing FOLDER/NAME.json and FOLDER/NAME-*.json
 *     npm run results -- --in FOLDER refresh.md          # after running the markers' commands there, where archives lie
 *
 * NAME is what a marker calls its result; the files are what `forager lab run --out` writes.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  DOCUMENTS,
  markedTables,
  neededRows,
  storedFile,
  type TableSpec,
  withResultTables,
} from './result-tables.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, in: { type: 'string' } },
})
const textOf = (file: string) => readFileSync(join(DOCUMENTS, file), 'utf8')
const documents = positionals.length > 0 ? positionals : globSync('*.md', { cwd: DOCUMENTS })
const asked = Map.groupBy(
  documents.flatMap((file) => markedTables(textOf(file))),
  ({ of }) => of,
)
const from = values.in === undefined ? values.from : runAll([...asked.values()], values.in)
if (from !== undefined) for (const [name, specs] of asked) store(name, specs, from)
for (const file of documents) {
  const before = textOf(file)
  const after = withResultTables(before)
  if (after !== before) writeFileSync(join(DOCUMENTS, file), after)
}

/** Runs the commands of all tables, each once, and gives the folder with their results. */
function runAll(tables: readonly (readonly TableSpec[])[], folder: string): string {
  const out = mkdtempSync(join(tmpdir(), 'forager-results-'))
  const results = new Map<string, string>()
  for (const [{ of, run = [] }] of tables)
    for (const [i, command] of [run].flat().entries()) {
      const file = join(out, `${of}-${i + 1}.json`)
      const known = results.get(command)
      if (known === undefined) runTo(file, command, folder)
      else copyFileSync(known, file)
      results.set(command, file)
    }
  return out
}

function runTo(file: string, command: string, folder: string): void {
  console.error(`forager lab run ${command}`)
  const program = join(import.meta.dirname, '..', 'bin', 'forager.js')
  const words = [program, 'lab', 'run', ...command.split(' '), '--out', file]
  const { status } = spawnSync(process.execPath, words, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`forager lab run ${command}: exit code ${status}`)
}

/** Keeps what the tables of a name show, one line a row; results that are not there leave all as it was. */
function store(name: string, specs: readonly TableSpec[], folder: string): void {
  const files = globSync(`${name}{,-*}.json`, { cwd: folder }).sort()
  if (files.length === 0) return
  const results = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  const { experiment, seed } = results[0]
  const facts = JSON.stringify({ experiment, seed, results: files.length })
  const lines = neededRows(specs, results).map((row) => `  ${JSON.stringify(row)}`)
  mkdirSync(join(DOCUMENTS, 'data'), { recursive: true })
  writeFileSync(storedFile(name), `${facts.slice(0, -1)},"rows":[\n${lines.join(',\n')}\n]}\n`)
}
