import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

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

/** Runs forager to its end. */
export async function forager(...args: string[]): Promise<Ended> {
  return startForager(args).ended
}
