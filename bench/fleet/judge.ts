import { readFileSync } from 'node:fs'
import type { LeaseLedger } from '#crawl/leases/leases.ts'
import { costOf } from '#learn/entries/outcome.ts'
import { readLog } from '#repository/state/take-up-log.ts'
import { rounded } from '../harness/cost.ts'
import { FARM } from './farm-names.ts'

interface Request {
  readonly start: number
  readonly end: number
  readonly host: string
  readonly address: string
  /** The worker's own. */
  readonly by: string
  readonly path: string
  readonly status: number
}

interface Evidence {
  readonly serverLog: string
  readonly dir: string
  readonly budget: number
  readonly delayMs: number
  readonly ledger: LeaseLedger
}

/** Clocks of one machine, and timers: so much earlier than allowed is not. */
const SLACK_MS = 30

/** What the server's log and the crawl's log say of a run: each number that must be 0 is a count of faults. */
export async function judge({ serverLog, dir, budget, delayMs, ledger }: Evidence) {
  const all = readFileSync(serverLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map(requestOf)
    .sort((a, b) => a.start - b.start)
  const pages = all.filter(({ path }) => path !== '/robots.txt')
  const { finishedAt, logged, late, readTwice } = await finished(dir)
  const repeated = pages.length - new Set(pages.map(urlOf)).size
  const again = pages.filter(
    (request) => request.start > (finishedAt.get(urlOf(request)) ?? Infinity),
  )
  const gaps = tooSoon(all, () => delayMs)
  const broken = tooSoon(all, ({ status }) => (status === 429 ? 1000 * FARM.retryAfterSeconds : 0))
  const faults = {
    overBudget: Math.max(0, pages.length - budget),
    finishedAndFetchedAgain: again.length,
    segmentsReadTwice: readTwice,
    overlapsOnDomain: overlaps(all, ({ host }) => host),
    overlapsAtAddress: overlaps(all, ({ address }) => address),
    gapsTooShort: gaps.length,
    retryAfterBroken: broken.length,
    disallowed: pages.filter(({ path }) => path.startsWith('/private/')).length,
    repeatedBeyondLost: Math.max(0, repeatedAnswers(pages) - ledger.lost),
    loggedTwice: late,
    ledgerOpen: ledger.escrow,
    paidAndNotLogged: Math.abs(ledger.spent - logged),
    wireBeyondPaid: Math.max(0, pages.length - ledger.spent - ledger.lost),
  }
  return {
    faults,
    ...(gaps.length + broken.length > 0 && { tooSoon: [...gaps, ...broken].slice(0, 5) }),
    ...(again.length > 0 && {
      again: again.slice(0, 5).map((late) => ({
        finishedAt: finishedAt.get(urlOf(late)),
        all: pages.filter((each) => urlOf(each) === urlOf(late)),
      })),
    }),
    onTheWire: pages.length,
    robots: all.length - pages.length,
    repeated,
    logged,
    ledger,
  }
}

/** Requests a second while it is busy: in the middle four fifths of them, without the beginning and the last ones. */
export function busyRate(serverLog: string): number {
  const starts = readFileSync(serverLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => requestOf(line).start)
    .sort((a, b) => a - b)
  const [from, to] = [Math.floor(0.1 * starts.length), Math.floor(0.9 * starts.length)]
  return rounded((1000 * (to - from)) / (starts[to] - starts[from]))
}

function requestOf(line: string): Request {
  const request: Request = JSON.parse(line)
  if (request.address === undefined) throw new Error(`the server's log lacks an address: ${line}`)
  return request
}

const urlOf = ({ host, path }: Request) => `${host}${path}`

/** Requests whose answer is final, beyond the first of their URL. */
function repeatedAnswers(pages: readonly Request[]): number {
  const final = pages.filter(({ status }) => status !== 429)
  return final.length - new Set(final.map(urlOf)).size
}

/** By URL: when the cycle that has its good answer was committed. */
async function finished(dir: string) {
  const finishedAt = new Map<string, number>()
  let logged = 0
  let readTwice = 0
  // Fetched by one who was cut off, and again by another: what comes late is not taken.
  let late = 0
  const read = new Set<string>()
  let cycle: string[] = []
  for await (const entry of readLog(dir)) {
    if (entry.kind === 'fetch') {
      logged += costOf(entry.outcome)
      const { sequence, place } = entry.outcome.fleet!
      if (read.has(`${sequence}/${place}`)) readTwice++
      read.add(`${sequence}/${place}`)
      if (entry.outcome.kind === 'failed' || costOf(entry.outcome) === 0) continue
      const { hostname, pathname } = new URL(entry.outcome.url)
      if (finishedAt.has(hostname + pathname) || cycle.includes(hostname + pathname)) late++
      cycle.push(hostname + pathname)
    }
    if (entry.kind !== 'end') continue
    for (const url of cycle) finishedAt.set(url, 1000 * entry.at + SLACK_MS)
    cycle = []
  }
  return { finishedAt, logged, late, readTwice }
}

function overlaps(all: readonly Request[], groupOf: (request: Request) => string): number {
  const endOf = new Map<string, number>()
  let count = 0
  for (const request of all) {
    const group = groupOf(request)
    if (request.start + SLACK_MS < (endOf.get(group) ?? 0)) count++
    endOf.set(group, Math.max(endOf.get(group) ?? 0, request.end))
  }
  return count
}

/** Requests to a host that came sooner after the one before than that allows, with that one. */
function tooSoon(all: readonly Request[], restMs: (before: Request) => number) {
  const latest = new Map<string, { readonly request: Request; readonly readyAt: number }>()
  const found: { earlyMs: number; before: Request; request: Request }[] = []
  for (const request of all) {
    const before = latest.get(request.host)
    const earlyMs = (before?.readyAt ?? 0) - request.start
    if (before && earlyMs > SLACK_MS) found.push({ earlyMs, before: before.request, request })
    const readyAt = request.end + restMs(request)
    if (readyAt > (before?.readyAt ?? 0)) latest.set(request.host, { request, readyAt })
  }
  return found
}
