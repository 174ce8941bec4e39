import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'

type Work<Input> = (input: Input) => unknown | Promise<unknown>

interface LinearOptions {
  /** Of the smaller input, in whatever unit `makeInput` counts. */
  readonly size: number
  /** The larger input is so many times as large. */
  readonly times?: number
  /** Beyond proportion, how much dearer it may be: noise and caches, never a square. */
  readonly slack?: number
  readonly runs?: number
}

/** Below this a measurement is noise. */
const LEAST_MS = 3

/**
 * Fails if the time that `work` takes grows faster than its input. Both sizes are measured in turn, in one
 * run, by processor time; the least of several runs counts. A square would take `times` times too long.
 * Gives the time of the larger one, in milliseconds.
 */
export async function staysLinear<Input>(
  makeInput: (size: number) => Input,
  work: Work<Input>,
  { size, times = 8, slack = 2.5, runs = 8 }: LinearOptions,
): Promise<number> {
  const [small, large] = [makeInput(size), makeInput(size * times)]
  let least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
  for (let run = 0; run < runs; run++) {
    least = {
      small: Math.min(least.small, await costMs(work, small)),
      large: Math.min(least.large, await costMs(work, large)),
    }
    if (least.large <= times * Math.max(least.small, LEAST_MS)) break // no doubt is left
  }
  const most = slack * times * Math.max(least.small, LEAST_MS)
  expect(least.large, `${least.small} ms for a part of it`).toBeLessThan(most)
  return least.large
}

/**
 * Processor time that some work takes: a busy machine does not lengthen it much. Of work that is done at once only this
 * thread counts, so that neither other tests nor the engine's own threads do.
 */
export async function costMs<Input>(work: Work<Input>, input: Input): Promise<number> {
  const before = usage()
  const given = work(input)
  const atOnce = usage()
  if (!(given instanceof Promise)) return atOnce.threadMs - before.threadMs
  await given
  return usage().processMs - before.processMs
}

function usage() {
  // Linux brings a thread's time up to date when it is asked for that of its process, and else with each tick.
  const processMs = milliseconds(process.cpuUsage())
  return { processMs, threadMs: milliseconds(process.threadCpuUsage()) }
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}

/** Bytes that are really held: objects, texts and buffers, once all garbage is gone. */
export function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  collect() // buffers go with the objects that the first one took
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
