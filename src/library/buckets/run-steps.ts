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

/** The program, and what it is told, that makes the steps on its input. */
type StepCommand = (dir: string) => readonly string[]

/** A step that kills its process time and again is none that another process could make. */
const MOST_TRIES = 3

/** Processes that make steps until they are let go. */
interface StepProcesses extends AsyncDisposable {
  readonly run: StepRunner
}

/**
 * By so many processes at once, each of which gets step after step on its input and answers when it is done. They are kept
 * from phase to phase, as to start one takes longer than a small step. Should one die, another makes its step.
 */
export function byProcesses(processes: number, commandFor: StepCommand): StepProcesses {
  const idle: Stepper[] = []
  return {
    run: async ({ folder }, epoch, phase, buckets) => {
      const waiting = buckets.map((bucket) => ({ bucket, tries: 0 }))
      const work = async () => {
        for (let child: Stepper | undefined; ; ) {
          const next = waiting.shift()
          if (next === undefined) return child && idle.push(child)
          child ??= idle.pop() ?? new Stepper(commandFor(folder.dir))
          if (await child.make(epoch, phase, next.bucket)) continue
          const why = await child.end()
          child = undefined
          if (++next.tries >= MOST_TRIES)
            throw new Error(`bucket ${next.bucket}, ${phase} of epoch ${epoch}: ${why}`)
          waiting.push(next)
        }
      }
      await Promise.all(Array.from({ length: Math.min(processes, buckets.length) }, work))
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(idle.splice(0).map((child) => child.end()))
    },
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
  async make(epoch: number, phase: Phase, bucket: number): Promise<boolean> {
    this.#child.stdin.write(`${epoch} ${phase} ${bucket}\n`)
    return !(await this.#answers.next()).done
  }

  /** Ends it; gives what it complained of. */
  end(): Promise<string> {
    this.#child.stdin.end()
    return this.#ended
  }
}
