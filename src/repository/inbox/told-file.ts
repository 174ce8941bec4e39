import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ToldSource } from '#crawl/ports.ts'
import type { Teller, Told } from '#frontier/told.ts'

/** Where what was told lies until the crawl has taken it in. */
export const toldFile = (dir: string) => join(dir, 'told.jsonl')
const takenFile = (dir: string) => `${toldFile(dir)}.taken`

const TELLERS: readonly Teller[] = ['indexnow', 'websub', 'frontier']

/** Leaves what was told in a crawl's directory. */
export function leaveTold(dir: string, told: readonly Told[]): void {
  appendFileSync(toldFile(dir), told.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

/** Bytes that wait to be taken in. */
export function waitingBytes(dir: string): number {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return sizeOf(toldFile(dir)) + sizeOf(takenFile(dir))
}

/** What lies in a crawl's directory. It stays there until it is durable, so that a kill loses nothing. */
export function toldInFile(dir: string): ToldSource {
  return {
    waiting: () => {
      if (!existsSync(takenFile(dir)) && existsSync(toldFile(dir)))
        renameSync(toldFile(dir), takenFile(dir)) // whoever writes now begins another file
      return toldIn(takenFile(dir))
    },
    taken: () => rmSync(takenFile(dir), { force: true }),
  }
}

function toldIn(file: string): Told[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => oneIn(line) ?? [])
}

/** A line that cannot be understood, as a full disk may leave one, is left out. */
function oneIn(line: string): Told | undefined {
  try {
    const { url, by, changedAt } = JSON.parse(line)
    if (typeof url !== 'string' || !TELLERS.includes(by)) return undefined
    return { url, by, ...(typeof changedAt === 'number' && { changedAt }) }
  } catch {
    return undefined
  }
}
