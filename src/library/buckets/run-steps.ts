import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Phase } from '#repository/buckets/buckets-folder.ts'
import type { OpenBuckets } from './buckets-crawl.ts'
import { runStep } from './steps.ts'

/** Whoever makes the steps of a phase. */
export type StepRunner = (
  opened: OpenBuckets,
  epoch: number,
  phase: Phase,
  buckets: readonly number[],
) => Promise<void>

/** In this process, so many at a time: what one reads and writes, others need not wait for. */
export function inThisProcess(atOnce = 1): StepRunner {
  return async (opened, epoch, phase, buckets) => {
    const waiting = [...buckets]
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await runStep(opened, epoch, phase, next)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }
}

/** The program, and what it is told, that makes the steps of a phase for the buckets on its input. */
type StepCommand = (dir: string, epoch: number, phase: Phase) => readonly string[]

/** A step that kills its process time and again is none that another process could make. */
const MOST_TRIES = 3

/**
 * By so many processes at once, each of which gets bucket after bucket on its input and answers when it is done. Should one
 * die, another makes its step.
 */
export function byProcesses(processes: number, commandFor: StepCommand): StepRunner {
  return async ({ folder }, epoch, phase, buckets) => {
    const waiting = buckets.map((bucket) => ({ bucket, tries: 0 }))
    const command = commandFor(folder.dir, epoch, phase)
    const work = async () => {
      for (let child: Stepper | undefined; ; ) {
        const next = waiting.shift()
        if (next === undefined) return child?.end()
        child ??= new Stepper(command)
        if (await child.make(next.bucket)) continue
        const why = await child.end()
        child = undefined
        if (++next.tries >= MOST_TRIES)
          throw new Error(`bucket ${next.bucket}, ${phase} of epoch ${epoch}: ${why}`)
        waiting.push(next)
      }
    }
    await Promise.all(Array.from({ length: Math.min(processes, buckets.length) }, work))
  }
}

/** A process that makes steps. */
class Stepper {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #answers: AsyncIterator<string>
  readonly #ended: Promise<string>
  #complaints = ''

  constructor([program, ...args]: readonly string[]) {
    this.#child = spawn(program, args, { stdio: 'pipe' })
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    this.#child.stdin.on('error', () => {}) // told by its end
    this.#child.stderr.on('data', (data) => {
      this.#complaints += data
    })
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve(error.message))
      this.#child.on('close', (code, signal) =>
        resolve(this.#complaints.trim() || `it ended with ${signal ?? code}`),
      )
    })
  }

  /** Whether the process has made a step. */
  async make(bucket: number): Promise<boolean> {
    this.#child.stdin.write(`${bucket}\n`)
    return !(await this.#answers.next()).done
  }

  /** Ends it; gives what it complained of. */
  end(): Promise<string> {
    this.#child.stdin.end()
    return this.#ended
  }
}
