import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { parseSiteMatch } from '#parse/url/site-match.ts'
import { DirectoryInUseError } from '#repository/database/open-database.ts'
import { jsonLines } from '#repository/inbox/inbox.ts'
import { instructionInbox, type LeftInstruction } from '#repository/inbox/instruction-inbox.ts'
import { askCrawl, type Control } from '../control/control-file.ts'
import { runningCrawl } from '../control/progress-file.ts'
import { openCrawl } from '../open/open-crawl.ts'
import { readSeeds } from '../open/seeds.ts'
import { quietWindow, timeSpan, whole } from '../settings/setting-kinds.ts'
import { rateIn, setRate } from './settings-rate.ts'

/** Something that a person may have a crawl do. */
export type ControlAction =
  | { readonly kind: Control }
  /** One more URL to begin with. */
  | { readonly kind: 'seed'; readonly url: string }
  /** Fetches a day, of a service whose settings file names them. */
  | { readonly kind: 'rate'; readonly fetchesADay: number }
  | LeftInstruction

/** A crawl's directory, and the files that its settings and seeds are read from, if any are known. */
export interface Controlled {
  readonly dir: string
  readonly settingsFile?: string
  readonly seedsFile?: string
}

/** An action that was done; when, in seconds since 1970. */
export type DoneAction = ControlAction & { readonly at: number }

const MOST_PATTERN_CHARS = 2_000
const MOST_DELAY_SECONDS = 3_600
/** As in settings of own sites. */
const MOST_AT_ONCE = 64

/** What can be said to a crawl whether it runs or not. */
const INSTRUCTIONS = ['fetch', 'forget', 'exclude', 'readmit', 'site'] as const

/** What can be done just now. */
export function possibleActions({
  dir,
  settingsFile,
  seedsFile,
}: Controlled): ControlAction['kind'][] {
  const running = runningCrawl(dir)
  if (!running) return ['seed', ...INSTRUCTIONS]
  const isService = running.service !== undefined
  return [
    running.doing === 'paused' ? 'resume' : 'pause',
    'stop',
    ...(isService ? (['reload'] as const) : []),
    ...(seedsFile !== undefined && isService ? (['seed'] as const) : []),
    ...(isService && rateIn(settingsFile) !== undefined ? (['rate'] as const) : []),
    ...INSTRUCTIONS,
  ]
}

/** Does it, and notes that in the directory. What cannot be done is a SettingError. */
export async function act(controlled: Controlled, action: ControlAction): Promise<void> {
  const { dir } = controlled
  if (!possibleActions(controlled).includes(action.kind))
    throw new SettingError(
      'dir',
      `"${action.kind}" cannot be done now: the crawl is not as it was when you asked`,
    )
  const done = checkedAction(action)
  await carryOut(controlled, done)
  appendFileSync(logFile(dir), `${JSON.stringify({ at: Date.now() / 1000, ...done })}\n`)
}

async function carryOut(controlled: Controlled, action: ControlAction): Promise<void> {
  const { dir, settingsFile } = controlled
  if (action.kind === 'seed') return addSeed(controlled, action.url)
  if (action.kind !== 'rate')
    return isInstruction(action) ? instruct(dir, action) : void askCrawl(dir, action.kind)
  setRate(settingsFile!, action.fetchesADay)
  askCrawl(dir, 'reload')
}

/** What was done from here, the latest first. */
export function doneActions(dir: string, atMost: number): DoneAction[] {
  return jsonLines<DoneAction>(logFile(dir)).slice(-atMost).reverse()
}

const logFile = (dir: string) => join(dir, 'control-log.jsonl')

/** The action as it is done: addresses are canonical. Whatever makes no sense is a SettingError. */
export function checkedAction(action: ControlAction): ControlAction {
  switch (action.kind) {
    case 'fetch':
    case 'forget':
    case 'seed':
      return { ...action, url: readSeeds([action.url])[0] }
    case 'exclude':
    case 'readmit':
      return { ...action, pattern: checkedPattern(action.pattern) }
    case 'site':
      return checkedSite(action)
    default:
      return action
  }
}

function checkedPattern(given: string): string {
  const pattern = given.trim()
  if (pattern === '' || pattern.length > MOST_PATTERN_CHARS || /\s/.test(pattern))
    throw new SettingError(
      'exclude',
      'a pattern is an address in which * stands for anything, as in example.org/print/*',
    )
  if (/^[*/:.]*$/.test(pattern))
    throw new SettingError('exclude', `"${pattern}" means every page: pause or stop the crawl`)
  return pattern
}

function checkedSite(action: ControlAction & { kind: 'site' }): ControlAction {
  const { host, delay, concurrency, quietHours, maxPages, refreshAfter } = action
  const match = parseSiteMatch(host)
  if ('fault' in match || match.isBelow || match.path !== '')
    throw new SettingError('sites', `"${host}" is no host name, as in docs.example.org`)
  if (delay !== undefined && !(delay >= 0 && delay <= MOST_DELAY_SECONDS))
    throw new SettingError('delay', `a delay is from 0 to ${MOST_DELAY_SECONDS} seconds`)
  if (concurrency !== undefined && whole(1, MOST_AT_ONCE).fromJson(concurrency) === undefined)
    throw new SettingError('sites', `a host is sent from 1 to ${MOST_AT_ONCE} requests at once`)
  if (maxPages !== undefined && whole(1).fromJson(maxPages) === undefined)
    throw new SettingError('sites', 'the pages of a host at most are a whole number above 0')
  if (refreshAfter !== undefined && !(refreshAfter >= 1))
    throw new SettingError('refreshAfter', `copies grow too old after ${timeSpan.form}`)
  const wrong = quietHours?.find((text) => quietWindow.fromText(text) === undefined)
  if (wrong !== undefined)
    throw new SettingError('quietHours', `"${wrong}" is not ${quietWindow.form}`)
  return action
}

function isInstruction(action: ControlAction): action is LeftInstruction {
  return (INSTRUCTIONS as readonly string[]).includes(action.kind)
}

/** A crawl that runs takes it in before its next plan. At rest a page is forgotten at once; all else waits for the next run. */
async function instruct(dir: string, told: LeftInstruction): Promise<void> {
  instructionInbox(dir).leave(told)
  if (told.kind !== 'forget' || runningCrawl(dir)) return
  // Whoever has the directory open by now takes it in.
  await takeIn(dir, []).catch((error: unknown) => {
    if (!(error instanceof DirectoryInUseError)) throw error
  })
}

/** A service reads its file of seeds again by itself; a crawl at rest knows the seed when it is run again. */
async function addSeed({ dir, seedsFile }: Controlled, url: string): Promise<void> {
  const append = () => appendFileSync(seedsFile!, `${url}\n`)
  if (runningCrawl(dir)) return append()
  await takeIn(dir, [url]).catch((error: unknown) => {
    // A service may just be opening it anew.
    if (!(error instanceof DirectoryInUseError) || seedsFile === undefined) throw error
    append()
  })
}

async function takeIn(dir: string, seeds: readonly string[]): Promise<void> {
  const { store } = await openCrawl(dir, { seeds, now: Date.now() / 1000 })
  store.close()
}
