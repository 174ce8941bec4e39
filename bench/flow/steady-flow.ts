import { rounded } from '../harness/cost.ts'
import { inFolder } from '../harness/in-folder.ts'
import { median } from '../harness/median.ts'
import { startCrawl, whileServing } from '../harness/served-crawl.ts'
import { type Hosts, hostName } from './hosts.ts'
import { addedUp, type Complaints, complaintsOf } from './manners.ts'
import { longestGap, shareOfPossible } from './rates.ts'
import { SERVER } from './server-file.ts'

export interface Flow {
  /** Requests a second to the busy hosts, all together. */
  readonly perSecond: number
  /** Of what politeness allows. */
  readonly share: number
  /** The same of the host that was asked least. */
  readonly least: number
  readonly longestGapMs: number
  readonly cpuSeconds: number
  readonly complaints: Complaints
}

/** More than anybody will fetch. */
const BUDGET = 1_000_000

/** Crawls from the home pages of all hosts by default settings, and tells how busy the busy ones were kept. */
export function flowOf(
  hosts: Hosts,
  { warmup, seconds }: { readonly warmup: number; readonly seconds: number },
): Promise<Flow> {
  return inFolder((dir) =>
    whileServing(SERVER, [JSON.stringify(hosts)], async ({ places, asked, next }) => {
      const seeds = places.map(([name]) => `http://${name}/`)
      const crawl = startCrawl(places, [...seeds, '--dir', dir, '--budget', BUDGET])
      const from = (await next()).at + 1_000 * warmup
      const to = from + 1_000 * seconds
      while ((await next()).at < to);
      const { cpuSeconds } = await crawl.stop()
      const busy = new Set(Array.from({ length: hosts.busy }, (_, host) => hostName('busy', host)))
      return {
        ...shareOfPossible(asked, busy, [from, to]),
        longestGapMs: longestGap(asked, from, to),
        cpuSeconds,
        complaints: complaintsOf(asked),
      }
    }),
  )
}

/** The median of each figure; complaints of all are added up. */
export function middleFlow(flows: readonly Flow[]): Flow {
  const middle = (field: Exclude<keyof Flow, 'complaints'>) =>
    rounded(median(flows.map((flow) => flow[field])))
  return {
    perSecond: middle('perSecond'),
    share: middle('share'),
    least: middle('least'),
    longestGapMs: middle('longestGapMs'),
    cpuSeconds: middle('cpuSeconds'),
    complaints: addedUp(flows.map(({ complaints }) => complaints)),
  }
}
