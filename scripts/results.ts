/**
 * Fills the marked tables of docs/results, of all documents or of those named, from stored results.
 *
 *     npm run results                                    # from docs/results/data
 *     npm run results -- --from FOLDER [refresh.md …]    # after storing FOLDER/NAME.json and FOLDER/NAME-1.json, …
 *     npm run results -- --from FOLDER --add refresh.md  # the same, but stored rows of other archives are kept
 *     npm run results -- --in FOLDER refresh.md          # after running the stored commands there, where archives lie
 *
 * NAME is what a marker calls its result. The files are what `forager lab run --out` writes, or what
 * `npm run bench -- …` prints: each says which command made it, at which commit and when.
 */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gatheredResults } from './gathered-results.ts'
import {
  DOCUMENTS,
  type Made,
  markedTables,
  neededRows,
  type Row,
  readResult,
  type Stored,
  storedFile,
  type TableSpec,
  withResultTables,
} from './result-tables.ts'

const ROOT = join(import.meta.dirname, '..')
const PROGRAMS: readonly (readonly [start: string, program: string])[] = [
  ['forager ', join(ROOT, 'bin', 'forager.js')],
  ['npm run bench -- ', join(ROOT, 'bench', 'main.ts')],
]
/** Model webs by the letters before their seed: pages and weeks. */
const MODEL_WEBS: Readonly<Record<string, readonly [pages: number, weeks: number]>> = {
  m: [5000, 2],
  s: [3000, 1],
  g: [1000, 20],
  w: [3000, 16],
  mw: [50_000, 2],
  n: [10_000, 53],
}
const NOTHING: Stored = { made: [], rows: [] }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, in: { type: 'string' }, add: { type: 'boolean' } },
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

/** Runs the commands of all stored results, each once, and gives the folder with what they give. */
function runAll(tables: readonly (readonly TableSpec[])[], folder: string): string {
  const out = mkdtempSync(join(tmpdir(), 'forager-results-'))
  const results = new Map<string, string>()
  for (const [{ of, from = of }] of tables) {
    const commands = existsSync(storedFile(of)) ? readResult(of).made : []
    for (const [i, { command }] of commands.entries()) {
      const file = join(out, `${from}-${i + 1}.json`)
      const known = results.get(command)
      if (known === undefined) runTo(file, command, folder)
      else if (known !== file) copyFileSync(known, file)
      results.set(command, file)
    }
  }
  return out
}

/** Makes the model webs of a command that are not there yet: `m31` is that of seed 31. */
function makeWebs(command: string, folder: string): void {
  for (const [, name, kind, seed] of command.matchAll(/--archive (([a-z]+)(\d+))(?= |$)/g)) {
    if (!Object.hasOwn(MODEL_WEBS, kind) || existsSync(join(folder, name))) continue
    const [pages, weeks] = MODEL_WEBS[kind]
    const size = ['--seed', seed, '--pages', `${pages}`, '--weeks', `${weeks}`]
    const words = [join(ROOT, 'bin', 'forager.js'), 'lab', 'generate', ...size, '--out', name]
    const { status } = spawnSync(process.execPath, words, { cwd: folder, stdio: 'ignore' })
    if (status !== 0) throw new Error(`forager lab generate --out ${name}: exit code ${status}`)
  }
}

function runTo(file: string, command: string, folder: string): void {
  console.error(command)
  makeWebs(command, folder)
  const [start, program] = PROGRAMS.find(([start]) => command.startsWith(start)) ?? []
  if (start === undefined || program === undefined) throw new Error(`cannot run: ${command}`)
  const isLab = start === 'forager '
  const words = [...command.slice(start.length).split(' '), ...(isLab ? ['--out', file] : [])]
  const { status, stdout } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder,
    stdio: ['ignore', isLab ? 'ignore' : 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`${command}: exit code ${status}`)
  if (!isLab) writeFileSync(file, stdout)
}

/** Keeps what the tables of a name show, one line a row; results that are not there leave all as it was. */
function store(name: string, specs: readonly TableSpec[], folder: string): void {
  const { from = name } = specs[0]
  const files = globSync(`${from}{,-[0-9]*}.json`, { cwd: folder }).sort()
  if (files.length === 0) return
  const results = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  const { experiment = results[0].benchmark, seed } = results[0]
  const rows = neededRows(specs, gatheredResults(results))
  const older = values.add ? ofOtherArchives(name, rows) : NOTHING
  const made = [...older.made, ...results.map((result) => withoutPlaces(result.made))]
  const lines = [...older.rows, ...rows].map((row) => `  ${JSON.stringify(row)}`)
  mkdirSync(join(DOCUMENTS, 'data'), { recursive: true })
  const facts = `"experiment":${JSON.stringify(experiment)},"seed":${seed ?? null}`
  const origin = made.map((one) => `  ${JSON.stringify(one)}`).join(',\n')
  const text = `{${facts},"made":[\n${origin}\n],"rows":[\n${lines.join(',\n')}\n]}\n`
  writeFileSync(storedFile(name), text)
}

/** What is stored of archives that are not among these rows, and what gave it. */
function ofOtherArchives(name: string, added: readonly Row[]): Stored {
  if (!existsSync(storedFile(name))) return NOTHING
  const { made, rows } = readResult(name)
  const again = new Set(added.map(({ archive }) => archive))
  const kept = rows.filter(({ archive }) => !again.has(archive))
  const others = new Set(kept.map(({ archive }) => archive))
  const archivesOf = (command: string) =>
    Array.from(command.matchAll(/--archive (\S+)/g), ([, archive]) => archive)
  return {
    made: made.filter(({ command }) => archivesOf(command).some((one) => others.has(one))),
    rows: kept,
  }
}

/** Where a run wrote its files is nobody's business. */
function withoutPlaces({ command, commit, date }: Made): Made {
  const words = command.replace(/ --(out|report|figures|dump) \S+| --(fresh|all|json)(?= |$)/g, '')
  return { command: words, commit, date }
}
