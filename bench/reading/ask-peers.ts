import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'

export type Answers = Readonly<Record<string, string>>

/** What peers in Python say of each text or page; nothing without a Python. */
export function askPeers(python: string, cases: readonly object[]): (Answers | undefined)[] {
  if (python === '') return []
  const script = join(import.meta.dirname, 'peers.py')
  const input = cases.map((one) => `${JSON.stringify(one)}\n`).join('')
  const { stdout, stderr, status } = spawnSync(python, [script], { input, maxBuffer: 1 << 30 })
  if (status !== 0) throw new UsageError(`--python: ${stderr}`)
  return stdout
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

export function mapValues<T>(record: Answers, change: (value: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
