import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Question, Reply } from './look-up-hosts.ts'

/** Look-ups at once. A name server that does not answer holds one of them for half a minute. */
const LOOKUPS_AT_ONCE = 64

const PROGRAM = fileURLToPath(new URL('./look-up-hosts.ts', import.meta.url))

interface LookupProcess {
  readonly child: ChildProcess
  /** By the id of the question. */
  readonly waiting: Map<number, PromiseWithResolvers<readonly string[]>>
}

let running: LookupProcess | undefined
let asked = 0

/**
 * All addresses of a host as the system knows them. The system's look-up blocks a thread and cannot be broken
 * off: a process would not end before it, and four of them would hold up its files too. So it is done in a
 * process of its own. That does not keep ours alive: whoever asks should wait with a timer.
 */
export function systemLookup(host: string): Promise<readonly string[]> {
  running ??= startLookups()
  const id = asked++
  const answer = Promise.withResolvers<readonly string[]>()
  running.waiting.set(id, answer)
  running.child.send({ id, host } satisfies Question)
  return answer.promise
}

function startLookups(): LookupProcess {
  const child = fork(PROGRAM, {
    execArgv: [],
    env: { ...process.env, UV_THREADPOOL_SIZE: String(LOOKUPS_AT_ONCE) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const waiting: LookupProcess['waiting'] = new Map()
  child.on('message', (reply: Reply) => {
    const answer = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('addresses' in reply) answer?.resolve(reply.addresses)
    else answer?.reject(lookupError(reply.code))
  })
  const end = () => {
    if (running?.child === child) running = undefined
    for (const answer of waiting.values()) answer.reject(lookupError('EAI_AGAIN'))
    waiting.clear()
  }
  child.on('error', end)
  child.on('exit', end)
  child.unref()
  child.channel?.unref()
  return { child, waiting }
}

function lookupError(code: string): Error {
  return Object.assign(new Error(`look-up failed (${code})`), { code })
}
