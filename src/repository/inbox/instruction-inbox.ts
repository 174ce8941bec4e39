import { join } from 'node:path'
import type { HostTerms, Instruction } from '#frontier/instructions.ts'
import { Inbox } from './inbox.ts'

/** An instruction as it is left in a directory. */
export type LeftInstruction = Instruction extends infer One
  ? One extends Instruction
    ? Omit<One, 'at'>
    : never
  : never

/** Where operators tell a crawl what to do. An instruction that is taken in twice changes nothing. */
export function instructionInbox(dir: string): Inbox<LeftInstruction> {
  return new Inbox(join(dir, 'instructions.jsonl'), ({ kind, pattern, url, host, ...terms }) => {
    if (kind === 'exclude' || kind === 'readmit')
      return typeof pattern === 'string' ? { kind, pattern } : undefined
    if (kind === 'fetch' || kind === 'forget')
      return typeof url === 'string' ? { kind, url } : undefined
    if (kind === 'site' && typeof host === 'string') return { kind, host, ...termsIn(terms) }
    return undefined
  })
}

function termsIn({ quietHours, ...told }: Record<string, unknown>): HostTerms {
  const numbers = ['delay', 'concurrency', 'maxPages', 'refreshAfter']
    .filter((name) => typeof told[name] === 'number')
    .map((name) => [name, told[name]])
  const isTexts = Array.isArray(quietHours) && quietHours.every((one) => typeof one === 'string')
  return { ...Object.fromEntries(numbers), ...(isTexts && { quietHours }) }
}
