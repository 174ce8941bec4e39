import { join } from 'node:path'
import type { Teller, Told } from '#frontier/told.ts'
import { Inbox } from './inbox.ts'

const TELLERS: readonly unknown[] = ['indexnow', 'websub', 'frontier'] satisfies Teller[]

/** Where others tell a crawl of URLs. */
export function toldInbox(dir: string): Inbox<Told> {
  return new Inbox(join(dir, 'told.jsonl'), ({ url, by, changedAt }) => {
    if (typeof url !== 'string' || !TELLERS.includes(by)) return undefined
    return { url, by: by as Teller, ...(typeof changedAt === 'number' && { changedAt }) }
  })
}
