import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crawl } from '#crawl/crawl.ts'
import { listFetcher } from '#crawl/list-fetcher.test-kit.ts'
import { MemoryStore } from '#crawl/memory-store.ts'
import { crawlState } from '#crawl/plan-cycle.ts'
import type { CycleRecord, Fetcher } from '#crawl/ports.ts'
import { HostManners } from '#fetch/manners/host-manners.ts'
import { steadyClock } from '#fetch/steady-clock.ts'
import { Frontier } from '#frontier/frontier.ts'
import { liveClock } from '#library/open/live-clock.ts'
import { firstOf } from '#numeric/cases.test-kit.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { startEndlessSite } from './endless-site.ts'
import { startForager } from './forager-process.ts'

const folder = sharedFolder()

/** Years to and fro. */
const aJumpMs = fc.integer({ min: -1e11, max: 1e11 })

/** A live clock over a wall clock that jumps whenever it is looked at; time goes by as `pass` says. */
function jumpingClock(jumps: readonly number[]) {
  let elapsedMs = 0
  let looks = 0
  const wallMs = () => 1e12 + elapsedMs + (jumps[looks++ % jumps.length] ?? 0)
  const clock = liveClock(wallMs, () => elapsedMs)
  const pass = (seconds: number) => {
    elapsedMs += 1000 * seconds
  }
  const waitUntil = async (at: number) => pass(Math.max(0, at - clock.now()))
  return { clock: { now: clock.now, waitUntil }, pass, seconds: () => elapsedMs / 1000 }
}

test('--max-time ends a crawl when it should, whatever the wall clock does and whatever is sent', async () => {
  const calls = fc.record({ seconds: fc.constantFrom(0, 0.2, 7), answers: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(
      fc.array(aJumpMs, { minLength: 1 }),
      fc.array(calls, { minLength: 1, maxLength: 5 }),
      async (jumps, script) => {
        const { clock, pass, seconds } = jumpingClock(jumps)
        let call = 0
        const fetcher: Fetcher = listFetcher(async function* (requests) {
          const { seconds, answers } = script[call++ % script.length]
          pass(seconds)
          for (const { id, url } of answers ? requests : [])
            yield { id, url, at: clock.now(), ms: 1, kind: 'failed', reason: 'x', sent: true }
        })
        const state = crawlState(new Frontier())
        for (let n = 0; n < 20; n++) state.frontier.add(`https://a${n}.org/`, 'seed', 0, 1)
        const cycles: CycleRecord[] = []
        const rules = { policy: newPagesBy('bfs', state), seed: 1 }
        const limits = { budget: 1e6, batch: 1, until: clock.now() + 60 }
        const ports = { fetcher, repository: new MemoryStore(), clock }
        const on = { cycle: (record: CycleRecord) => cycles.push(record) }
        await crawl(state, rules, ports, limits, neverAborts(), on)
        expect(seconds()).toBeLessThanOrEqual(60 + 7)
        const unsent = cycles.filter(({ planned, fetches }) => planned > fetches.length)
        expect(unsent.length).toBeLessThanOrEqual(62)
      },
    ),
  )
})

test('a host gets its rest, no less and no more, whatever the wall clock does', () => {
  fc.assert(
    fc.property(
      fc.array(aJumpMs, { minLength: 1 }),
      fc.array(fc.double({ min: 0, max: 30, noNaN: true })),
      (jumps, waits) => {
        const { clock, pass, seconds } = jumpingClock(jumps)
        const now = steadyClock(clock, () => 1000 * seconds())
        const options = { delaySeconds: 5, responseFactor: 0, connectionsPerHost: 1 }
        const manners = new HostManners({ ...options, perDomain: 1, perAddress: 1 })
        let endedAt = Number.NEGATIVE_INFINITY
        for (const wait of waits) {
          pass(wait)
          const isOpen = manners.gate('a.org', now()).kind === 'open'
          const rested = seconds() - endedAt
          if (Math.abs(rested - 5) > 0.001) expect(isOpen).toBe(rested > 5)
          if (!isOpen) continue
          const visit = manners.enter('a.org')!
          manners.leave(visit, { kind: 'fine', ms: 0 }, now())
          endedAt = seconds()
        }
      },
    ),
  )
})

const JUMPS: readonly (readonly [way: string, ms: number])[] = [
  ['back', -3 * 86_400_000],
  ['forward', 3 * 86_400_000],
]

test.each(firstOf(0, JUMPS))(
  'a clock that is set %s by three days ends a crawl neither early nor late',
  async (way, jumpMs) => {
    let asked = 0
    const site = await startEndlessSite(() => asked++)
    const module = join(folder, `set-${way}.mjs`)
    // Jumps when the crawl is well under way.
    writeFileSync(
      module,
      `const real = Date.now
     const from = performance.now()
     Date.now = () => real() + (performance.now() - from > 3000 ? ${jumpMs} : 0)`,
    )
    const log = join(folder, `${way}.jsonl`)
    const args = [
      'crawl',
      'http://h0.test/0',
      '--dir',
      join(folder, way),
      '--resolve',
      site.resolve,
    ]
    args.push('--delay', '0.1', '--max-time', '6s', '--budget', '100000', '--log', log, '--json')
    const startedAt = performance.now()
    const env = { NODE_OPTIONS: `--import ${pathToFileURL(module).href}` }
    const { stdout, stderr } = await startForager(args, undefined, undefined, env).ended
    site.close()
    expect(JSON.parse(stdout || stderr)).toMatchObject({ end: 'time is up', spent: asked })
    expect(performance.now() - startedAt).toBeGreaterThan(6_000)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    const cycles = readFileSync(log, 'utf8').match(/"event":"cycle"/g) ?? []
    expect(cycles.length).toBeLessThan(30)
  },
)

function neverAborts(): AbortSignal {
  return new AbortController().signal
}
