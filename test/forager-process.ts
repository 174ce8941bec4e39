import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire, enableCompileCache } from 'node:module'
import { join } from 'node:path'
import type * as Main from '../src/app/cli/main.ts'

const BIN = join(import.meta.dirname, '..', 'bin', 'forager.js')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** A forager process of its own, of this user or another, with more in its environment; and how it ended. */
export function startForager(
  args: readonly string[],
  cwd?: string,
  uid?: number,
  env: Readonly<Record<string, string>> = {},
): { child: ChildProcess; ended: Promise<Ended> } {
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, [BIN, ...args], {
    ...{ cwd, uid, env: { ...process.env, ...env } },
    stdio: [...stdio],
  })
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (data) => {
    stdout += data
  })
  child.stderr?.on('data', (data) => {
    stderr += data
  })
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, ended }
}

/** What runs a command; loaded by Node itself, as programs are, once for all tests of a file. */
function load(): typeof Main {
  enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'forager'))
  return createRequire(import.meta.url)('../src/app/cli/main.ts')
}

/**
 * Runs a command to its end, in this process: to start another takes half a second. Where the process is
 * the point (signals, another user, two at once), there is `startForager`.
 */
export async function forager(...args: string[]): Promise<Ended> {
  return foragerIn(process.cwd(), ...args)
}

/** The same in another working directory. */
export async function foragerIn(folder: string, ...args: string[]): Promise<Ended> {
  const ended = before.then(() => runIn(folder, args))
  before = ended.catch(() => {})
  return ended
}

/** Commands run one after another: they share a working directory, two streams and an exit code. */
let before: Promise<unknown> = Promise.resolve()

async function runIn(folder: string, args: readonly string[]): Promise<Ended> {
  const home = process.cwd()
  const { argv } = process
  const heard = { stdout: '', stderr: '' }
  using _ = listenTo('stdout', heard)
  using _too = listenTo('stderr', heard)
  process.argv = [...argv.slice(0, 2), ...args]
  process.chdir(folder)
  process.exitCode = undefined
  try {
    return { code: await load().run(args), signal: null, ...heard }
  } finally {
    process.exitCode = undefined
    process.argv = argv
    process.chdir(home)
  }
}

/** Keeps what is written to a stream, instead of writing it. */
function listenTo(name: 'stdout' | 'stderr', heard: Record<string, string>): Disposable {
  const stream = process[name]
  const { write } = stream
  stream.write = ((data: string | Uint8Array, ...more: unknown[]) => {
    heard[name] += typeof data === 'string' ? data : Buffer.from(data).toString()
    const done = more.at(-1)
    if (typeof done === 'function') done()
    return true
  }) as typeof write
  return {
    [Symbol.dispose]: () => {
      stream.write = write
    },
  }
}
