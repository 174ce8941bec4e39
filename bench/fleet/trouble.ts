import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '#numeric/random.ts'

/** What may be done to a fleet. */
export interface Victims {
  killWorker(which: number): void
  killPlanner(): Promise<void>
  cutLine(which: number, seconds: number): Promise<void>
  restartDatabase(): void
  readonly workers: number
  note?(kind: string, which: number): void
  /** A folder of limited size that segments go to, if there is one. */
  readonly store?: string
}

export interface Troubles {
  readonly workerKills: number
  readonly plannerKills: number
  readonly partitions: number
  readonly restarts: number
  readonly fullDisks: number
  /** Over so many seconds. */
  readonly seconds: number
  readonly longestCutSeconds: number
}

/** Lets things go wrong at random moments, the same with the same seed; ends early when told to. */
export async function makeTrouble(
  victims: Victims,
  { seconds, longestCutSeconds, ...counts }: Troubles,
  seed: number,
  signal: AbortSignal,
) {
  const random = seededRandom(seed)
  const done = { workerKills: 0, plannerKills: 0, partitions: 0, restarts: 0, fullDisks: 0 }
  const events = Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => ({
      kind: kind as keyof typeof done,
      at: random.next() * seconds,
    })),
  )
  const startedAt = performance.now()
  const running: Promise<unknown>[] = []
  for (const { kind, at } of events.sort((a, b) => a.at - b.at)) {
    const ms = 1000 * at - (performance.now() - startedAt)
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const which = Math.floor(random.next() * victims.workers)
    done[kind]++
    victims.note?.(kind, which)
    if (kind === 'workerKills') victims.killWorker(which)
    else if (kind === 'plannerKills') running.push(victims.killPlanner())
    else if (kind === 'partitions')
      running.push(victims.cutLine(which, 5 + random.next() * (longestCutSeconds - 5)))
    else if (kind === 'restarts') victims.restartDatabase()
    else if (victims.store !== undefined) await fillDisk(victims.store)
  }
  await Promise.all(running)
  return done
}

/** Takes all that is left of the disk for some seconds. */
async function fillDisk(dir: string): Promise<void> {
  const file = join(dir, '.filler')
  for (let bytes = 1 << 24; bytes >= 1 << 10; bytes >>= 1)
    try {
      for (;;) writeFileSync(file, Buffer.alloc(bytes), { flag: 'a' })
    } catch {} // smaller parts may still fit
  await sleep(6_000)
  rmSync(file, { force: true })
}
