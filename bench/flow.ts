import { join } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'
import { NO_HOSTS } from './flow/hosts.ts'
import { makeKnown, replanning, secondsToFirstRequest } from './flow/known-crawl.ts'
import { isPolite } from './flow/manners.ts'
import { SERVER } from './flow/server-file.ts'
import { type Flow, flowOf, middleFlow } from './flow/steady-flow.ts'
import { benchmark, mustHold } from './harness/benchmark.ts'
import { rounded } from './harness/cost.ts'
import { inFolder } from './harness/in-folder.ts'
import { median } from './harness/median.ts'
import { type Served, whileServing } from './harness/served-crawl.ts'

const LIMITS = {
  /** Of the rate that politeness allows. */
  share: 0.95,
  /** Of the rate without troublesome hosts. */
  kept: 0.98,
  gapMs: 1_000,
  secondsFew: 2,
  secondsMany: 10,
}

const FLAGS = {
  ...{ part: '', hosts: 50, busy: 40, trouble: 5, warmup: 15, seconds: 40, rounds: 3 },
  ...{ few: 10_000, urls: 2_000_000, plans: 2, keep: '' },
}
type FlowFlags = { [Flag in keyof typeof FLAGS]: (typeof FLAGS)[Flag] }

/** Whether limits were kept, and figures. */
interface Part {
  readonly ok: boolean
  readonly [figure: string]: unknown
}

/** In the order in which they run. */
const PARTS: Record<string, (flags: FlowFlags) => Promise<Part>> = { rate, start, plans }

/**
 * Each host is a domain at a loopback address of its own. Servers and crawl, the command itself with its default
 * settings, are processes of their own; what is measured is what the servers saw. `--keep DIR` keeps the crawls with
 * many known URLs there, and takes them from there the next time.
 */
export default benchmark({
  about: 'Whether hosts are kept busy: beside troublesome ones, at the start of a run, by plans',
  flags: FLAGS,
  async run(flags) {
    const names = Object.keys(PARTS)
    if (flags.part !== '' && !names.includes(flags.part))
      throw new UsageError(`--part must be one of ${names.join(', ')}, not "${flags.part}"`)
    const figures: Record<string, Part> = {}
    for (const name of names) {
      if (flags.part !== '' && flags.part !== name) continue
      figures[name] = await PARTS[name](flags)
      console.error(`${name}: ${JSON.stringify(figures[name])}`)
    }
    const ok = mustHold(Object.values(figures).every((part) => part.ok))
    return { ok, limits: LIMITS, ...figures }
  },
})

/** The same hosts alone and beside troublesome ones, by turns, so that what else the machine does meets both. */
async function rate({ hosts, busy, trouble, rounds, ...times }: FlowFlags): Promise<Part> {
  const alone = { ...NO_HOSTS, busy, small: hosts - busy }
  const beside = { ...alone, slow: trouble, failing: trouble, resting: trouble }
  const runs: { alone: Flow; beside: Flow }[] = []
  for (let round = 0; round < rounds; round++)
    runs.push({ alone: await flowOf(alone, times), beside: await flowOf(beside, times) })
  const figures = {
    alone: middleFlow(runs.map((run) => run.alone)),
    besideTrouble: middleFlow(runs.map((run) => run.beside)),
  }
  const kept = rounded(figures.besideTrouble.perSecond / figures.alone.perSecond)
  const polite = isPolite(figures.alone.complaints) && isPolite(figures.besideTrouble.complaints)
  const ok = polite && figures.alone.share >= LIMITS.share && kept >= LIMITS.kept
  return { ok, kept, ...figures }
}

async function start(flags: FlowFlags): Promise<Part> {
  const secondsFew = await secondsToStart(flags.few, flags)
  const secondsMany = await secondsToStart(flags.urls, flags)
  const ok = secondsFew <= LIMITS.secondsFew && secondsMany <= LIMITS.secondsMany
  return { ok, few: flags.few, secondsFew, urls: flags.urls, secondsMany }
}

function secondsToStart(urls: number, flags: FlowFlags): Promise<number> {
  return onKnown(urls, flags, async (dir, served) => {
    const seconds: number[] = []
    for (let round = 0; round < flags.rounds; round++)
      seconds.push(await secondsToFirstRequest(dir, served))
    return rounded(median(seconds))
  })
}

async function plans({ urls, ...flags }: FlowFlags): Promise<Part> {
  const figures = await onKnown(urls, flags, (dir, served) => replanning(dir, served, flags))
  const ok = figures.longestGapMs <= LIMITS.gapMs && isPolite(figures.complaints)
  return { ok, urls, ...figures }
}

/** Works on a crawl that knows so many URLs. */
function onKnown<T>(
  urls: number,
  { hosts, keep }: Pick<FlowFlags, 'hosts' | 'keep'>,
  work: (dir: string, served: Served) => Promise<T>,
): Promise<T> {
  const within = async (folder: string) => {
    const dir = join(folder, `known-${urls}`)
    const web = { ...NO_HOSTS, vast: hosts, vastPages: urls }
    return whileServing(SERVER, [JSON.stringify(web)], async (served) => {
      await makeKnown(dir, urls, served)
      return work(dir, served)
    })
  }
  return keep === '' ? inFolder(within) : within(keep)
}
