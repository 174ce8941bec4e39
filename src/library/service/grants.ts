import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_SECONDS, type Sent } from '#crawl/pace/allowance.ts'
import { writeAtOnce } from '#repository/durable-file.ts'

/** What a service may have sent: from that time on, up to so many fetches in all. */
interface Grant {
  readonly at: number
  readonly upTo: number
}

const pathIn = (dir: string) => join(dir, 'rate.json')

/** Notes what may be sent before it is: who is killed meanwhile cannot tell how much of it was. */
export function noteGrant(dir: string, grant: Grant): void {
  writeAtOnce(pathIn(dir), `${JSON.stringify(grant)}\n`)
}

/** All that was sent is in the log. */
export function dropGrant(dir: string): void {
  rmSync(pathIn(dir), { force: true })
}

/**
 * What was sent in the last 24 hours, oldest first. What a killed service may have sent beside its log counts as sent
 * now: nobody knows when it was.
 */
export async function sentInDay(
  dir: string,
  now: number,
  spent: number,
  sentSince: (at: number) => Promise<readonly Sent[]>,
): Promise<Sent[]> {
  const logged = await sentSince(now - DAY_SECONDS)
  const { at, upTo } = readGrant(dir)
  const mayBeLost = upTo > spent && at > now - DAY_SECONDS
  return mayBeLost ? [...logged, { at: now, fetches: upTo - spent }] : [...logged]
}

function readGrant(dir: string): Grant {
  try {
    const { at, upTo } = JSON.parse(readFileSync(pathIn(dir), 'utf8'))
    return { at: Number(at), upTo: Number(upTo) }
  } catch {
    return { at: 0, upTo: 0 }
  }
}
