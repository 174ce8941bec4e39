import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { runProgram } from './harness/run-program.ts'
import { crawlCosts } from './reading/crawl-cost.ts'

/** What languages, main text and structured data may add for pages in English. */
const LIMIT = 1.1
const ROOT = join(import.meta.dirname, '..')
const PROGRAM = join(import.meta.dirname, 'reading', 'measure-cost.ts')

type Micros = Readonly<Record<'parse' | 'index', number>>

export default benchmark({
  about:
    'What it costs to parse, index and crawl pages in English, beside the program before languages and main text',
  flags: { pages: '', before: '67b4820f', most: 400, rounds: 8, turns: 5, crawls: 0 },
  async run({ pages, before, most, rounds, turns, crawls }) {
    if (!existsSync(pages)) throw new UsageError('--pages: name a folder of HTML files in English')
    return inFolder(async (folder) => {
      const old = join(folder, 'before')
      mkdirSync(old)
      const archive = execFileSync('git', ['archive', before, 'src', 'bin', 'package.json'], {
        ...{ cwd: ROOT, maxBuffer: 1 << 28 },
      })
      execFileSync('tar', ['-x', '-C', old], { input: archive })
      symlinkSync(join(ROOT, 'node_modules'), join(old, 'node_modules'))
      const file = join(folder, 'pages.json')
      const bodies = pagesIn(pages, most)
      writeFileSync(file, JSON.stringify(bodies))
      const costs: Record<'before' | 'now', Micros[]> = { before: [], now: [] }
      for (let turn = 0; turn < turns; turn++)
        for (const [name, root] of [['before', old] as const, ['now', ROOT] as const]) {
          const { result } = await runProgram(PROGRAM, [root, file, rounds])
          costs[name].push(result as unknown as Micros)
        }
      const [was, is] = [least(costs.before), least(costs.now)]
      const ratio = rounded((is.parse + is.index) / (was.parse + was.index))
      const isWithin = mustHold(ratio <= LIMIT)
      const read = { before: was, now: is, ratio, limit: LIMIT, isWithin }
      if (crawls === 0) return read
      const [crawlBefore, crawlNow] = await crawlCosts(bodies, [old, ROOT], crawls)
      const crawlRatio = rounded(crawlNow / crawlBefore)
      const isCrawlWithin = mustHold(crawlRatio <= LIMIT)
      return { ...read, crawl: { crawlBefore, crawlNow, crawlRatio, isCrawlWithin } }
    })
  },
})

function pagesIn(folder: string, most: number): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const step = Math.max(1, files.length / most)
  const chosen = Array.from(
    { length: Math.min(most, files.length) },
    (_, i) => files[Math.floor(i * step)],
  )
  return chosen.map((path) => readFileSync(path, 'utf8'))
}

function least(costs: readonly Micros[]): Micros {
  const of = (part: keyof Micros) => Math.round(Math.min(...costs.map((cost) => cost[part])))
  return { parse: of('parse'), index: of('index') }
}
