/** A service as a process of its own, whose time leaps: `node service-process.ts SETTINGS CLOCK END`. */
import { readFileSync } from 'node:fs'
import { runService } from '#library/service/run-service.ts'
import { leapingClock } from './leaping-clock.ts'

/** In MB: what is reachable in the main thread's heap and outside of it, and all that the process has. */
export interface Memory {
  readonly heldMb: number
  readonly rssMb: number
}

const [settings, clockFile, end] = process.argv.slice(2)
const stop = new AbortController()
let reload = () => {}
process.on('SIGTERM', () => stop.abort())
process.on('SIGHUP', () => reload())
// Whoever started it asks how much memory it holds.
process.on('message', () => {
  globalThis.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  process.send?.({ heldMb: (heapUsed + external) / 1e6, rssMb: rss / 1e6 } satisfies Memory)
})
process.channel?.unref()

const summary = await runService({
  read: () => JSON.parse(readFileSync(settings, 'utf8')),
  signal: stop.signal,
  clock: leapingClock(clockFile, Number(end), () => stop.abort()),
  onReload: (how) => {
    reload = how
  },
  note: (note) => {
    if (note.kind === 'reload failed') process.stderr.write(`${note.error.message}\n`)
  },
  begin: () => {
    process.stdout.write(`${JSON.stringify({ begun: Number(readFileSync(clockFile)) })}\n`)
    return {}
  },
})
process.stdout.write(`${JSON.stringify({ end: summary.end, spent: summary.spent })}\n`)
