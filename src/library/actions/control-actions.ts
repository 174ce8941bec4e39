import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { askCrawl } from '../control/control-file.ts'
import { runningCrawl } from '../control/progress-file.ts'
import { openCrawl } from '../open/open-crawl.ts'
import { readSeeds } from '../open/seeds.ts'

/** Something that a person may have a crawl do. */
export type ControlAction =
  | { readonly kind: 'pause' | 'resume' | 'stop' | 'reload' }
  /** One more URL to begin with. */
  | { readonly kind: 'seed'; readonly url: string }
  /** Fetches a day, of a service whose settings file names them. */
  | { readonly kind: 'rate'; readonly fetchesADay: number }

/** A crawl's directory, and the files that its settings and seeds are read from, if any are known. */
export interface Controlled {
  readonly dir: string
  readonly settingsFile?: string
  readonly seedsFile?: string
}

const RATE = /("fetchesADay"\s*:\s*)(\d+)/g

/** What can be done just now. */
export function possibleActions({
  dir,
  settingsFile,
  seedsFile,
}: Controlled): ControlAction['kind'][] {
  const running = runningCrawl(dir)
  if (!running) return ['seed']
  const isService = running.service !== undefined
  return [
    running.doing === 'paused' ? 'resume' : 'pause',
    'stop',
    ...(isService ? (['reload'] as const) : []),
    ...(seedsFile !== undefined && isService ? (['seed'] as const) : []),
    ...(isService && rateIn(settingsFile) !== undefined ? (['rate'] as const) : []),
  ]
}

/** The rate that a settings file names; undefined if it names none, or more than one. */
export function rateIn(settingsFile: string | undefined): number | undefined {
  if (settingsFile === undefined || !existsSync(settingsFile)) return undefined
  const found = [...readFileSync(settingsFile, 'utf8').matchAll(RATE)]
  return found.length === 1 ? Number(found[0][2]) : undefined
}

/** Does it, and notes that in the directory. What cannot be done is a SettingError. */
export async function act(controlled: Controlled, action: ControlAction): Promise<void> {
  if (!possibleActions(controlled).includes(action.kind))
    throw new SettingError(
      'dir',
      `"${action.kind}" cannot be done now: the crawl is not as it was when you asked`,
    )
  if (action.kind === 'seed') await addSeed(controlled, action.url)
  else if (action.kind === 'rate') setRate(controlled, action.fetchesADay)
  else askCrawl(controlled.dir, action.kind)
  const line = { at: Date.now() / 1000, ...action }
  appendFileSync(join(controlled.dir, 'control-log.jsonl'), `${JSON.stringify(line)}\n`)
}

/** A service reads its file of seeds again by itself; a crawl at rest knows the seed when it is run again. */
async function addSeed({ dir, seedsFile }: Controlled, given: string): Promise<void> {
  const [url] = readSeeds([given])
  if (runningCrawl(dir)) return appendFileSync(seedsFile!, `${url}\n`)
  const { store } = await openCrawl(dir, { seeds: [url], now: Date.now() / 1000 })
  store.close()
}

function setRate({ dir, settingsFile }: Controlled, fetchesADay: number): void {
  if (!Number.isSafeInteger(fetchesADay) || fetchesADay < 1)
    throw new SettingError('fetchesADay', '{fetchesADay} must be a whole number above 0')
  const text = readFileSync(settingsFile!, 'utf8').replace(RATE, `$1${fetchesADay}`)
  const draft = `${settingsFile}.${process.pid}`
  writeFileSync(draft, text, { mode: statSync(settingsFile!).mode })
  renameSync(draft, settingsFile!)
  askCrawl(dir, 'reload')
}
