import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const TICKS_A_SECOND = 100

/** Programs of a fleet, and what CPU they took, those that were killed included. */
export class Programs {
  readonly #dir: string
  readonly #running = new Map<ChildProcess, { readonly kind: string; seconds: number }>()
  readonly #ended: Record<string, number> = {}
  readonly #timer = setInterval(() => this.#look(), 200)

  constructor(dir: string) {
    this.#dir = dir
  }

  /** `prefix`: a program and its arguments that start it, and become it. */
  start(
    name: string,
    args: readonly string[],
    env: Record<string, string> = {},
    prefix: readonly string[] = [],
  ): ChildProcess {
    const [program, ...before] = [...prefix, process.execPath]
    const child = spawn(
      program,
      [
        ...before,
        '--import',
        join(import.meta.dirname, 'preload.ts'),
        join(ROOT, 'bin', 'forager.js'),
        ...args,
      ],
      {
        cwd: this.#dir,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          NODE_OPTIONS: `--import ${join(import.meta.dirname, 'preload.ts')}`,
          ...env,
        },
      },
    )
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (text) =>
        appendFileSync(join(this.#dir, `${name}.log`), `${Date.now()} ${text}`),
      )
    this.#running.set(child, { kind: name.replace(/-\d+$/, ''), seconds: 0 })
    child.on('exit', () => {
      const { kind, seconds } = this.#running.get(child)!
      this.#ended[kind] = (this.#ended[kind] ?? 0) + seconds
      this.#running.delete(child)
    })
    return child
  }

  /** By kind: planner, worker, alone. */
  cpuSeconds(): Record<string, number> {
    this.#look()
    const sums = { ...this.#ended }
    for (const { kind, seconds } of this.#running.values()) sums[kind] = (sums[kind] ?? 0) + seconds
    return sums
  }

  async endAll(): Promise<void> {
    clearInterval(this.#timer)
    const children = [...this.#running.keys()]
    for (const child of children) child.kill('SIGTERM')
    await Promise.all(
      children.map((child) => (child.exitCode === null ? once(child, 'exit') : null)),
    )
  }

  #look(): void {
    for (const [child, cost] of this.#running) {
      try {
        const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')
        const [user, system] = fields.slice(11, 13).map(Number)
        cost.seconds = (user + system) / TICKS_A_SECOND
      } catch {} // it has just ended
    }
  }
}
