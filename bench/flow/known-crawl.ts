import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rounded } from '../harness/cost.ts'
import { type Served, type StartedCrawl, startCrawl } from '../harness/served-crawl.ts'
import { hostName, VAST_LINKS } from './hosts.ts'
import { type Complaints, complaintsOf } from './manners.ts'
import { longestGap } from './rates.ts'

/** A small crawl has fetched half of what it knows, as far as this. */
const SMALL_CRAWL = 5_000
/** More than a further run will fetch. */
const BUDGET = 1_000_000

/** Crawls vast hosts without pauses until so many URLs are known; a crawl that is there already is taken as it is. */
export async function makeKnown(dir: string, urls: number, { places }: Served): Promise<void> {
  if (existsSync(join(dir, 'state.duckdb'))) return
  console.error(`crawling until ${urls} URLs are known …`)
  const budget = Math.ceil(Math.max(Math.min(SMALL_CRAWL, urls / 2), urls / VAST_LINKS))
  const flags = ['--delay', 0, '--response-factor', 0, '--budget', budget]
  const { ended } = startCrawl(places, [`http://${hostName('vast', 0)}/`, '--dir', dir, ...flags])
  await ended
}

/** Goes on by default settings: how long until the first request, from the start of the process. */
export async function secondsToFirstRequest(dir: string, served: Served): Promise<number> {
  const crawl = goOn(dir, served)
  const at = await firstAfter(crawl.startedAt, served)
  await crawl.stop()
  return (at - crawl.startedAt) / 1_000
}

export interface Replanning {
  readonly plans: number
  readonly longestGapMs: number
  readonly perSecond: number
  readonly longestBlockMs: number
  readonly complaints: Complaints
}

/**
 * Goes on by default settings until so many plans were made while it fetched: how long the servers heard nothing. At
 * first all hosts are asked at the same moment, so the first seconds do not count.
 */
export async function replanning(
  dir: string,
  served: Served,
  { plans, warmup }: { readonly plans: number; readonly warmup: number },
): Promise<Replanning> {
  const log = `${dir}.jsonl`
  rmSync(log, { force: true })
  const crawl = goOn(dir, served, '--log', log)
  const from = (await firstAfter(crawl.startedAt, served)) + 1_000 * warmup
  while ((await served.next()).at < from);
  const before = cyclesIn(log)
  let to = from
  // A cycle's line comes at its end, and the next plan after it: one more has that plan within it.
  while (cyclesIn(log) <= before + plans) to = (await served.next()).at
  const { longestBlockMs } = await crawl.stop()
  const asked = served.asked.filter(({ at }) => at >= crawl.startedAt)
  const within = asked.filter(({ at }) => at > from && at < to)
  return {
    plans,
    longestGapMs: longestGap(within, from, to),
    perSecond: rounded((1_000 * within.length) / (to - from)),
    longestBlockMs,
    complaints: complaintsOf(asked),
  }
}

/** News of an earlier crawl may come late. */
async function firstAfter(time: number, served: Served): Promise<number> {
  while (true) {
    const { at } = await served.next()
    if (at >= time) return at
  }
}

function goOn(dir: string, { places }: Served, ...flags: readonly string[]): StartedCrawl {
  return startCrawl(places, ['--dir', dir, '--budget', BUDGET, ...flags])
}

function cyclesIn(log: string): number {
  if (!existsSync(log)) return 0
  return readFileSync(log, 'utf8').split('"event":"cycle"').length - 1
}
