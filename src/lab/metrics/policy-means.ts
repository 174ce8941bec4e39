import { differenceInterval, type Interval, meanInterval } from './bootstrap.ts'

/** Numbers of one policy on one archive; null where there is none. */
export type PolicyRun<Measure extends string> = Readonly<Record<Measure, number | null>> & {
  readonly archive: string
  readonly policy: string
}

export interface PolicyMeans<Measure extends string> {
  readonly policy: string
  /** Over archives. */
  readonly means: Readonly<Record<Measure, Interval | undefined>>
  /** The last policy's less this one's, on the same archives. */
  readonly leads: Readonly<Record<Measure, Interval | undefined>>
}

/** Each policy's means over archives, and the lead of the last policy where both have a number. */
export function policyMeans<Measure extends string>(
  runs: readonly PolicyRun<Measure>[],
  measures: readonly Measure[],
  seed: number,
): PolicyMeans<Measure>[] {
  const byPolicy = Map.groupBy(runs, ({ policy }) => policy)
  const last = new Map([...byPolicy.values()].at(-1)?.map((run) => [run.archive, run]))
  const each = (interval: (measure: Measure) => Interval | undefined) =>
    Object.fromEntries(measures.map((measure) => [measure, interval(measure)])) as Record<
      Measure,
      Interval | undefined
    >
  return Array.from(byPolicy, ([policy, own]) => ({
    policy,
    means: each((measure) =>
      meanInterval(Float64Array.from(own.flatMap((run) => run[measure] ?? [])), { seed }),
    ),
    leads: each((measure) => {
      const pairs = own.flatMap((run) => {
        const [theirs, ours] = [last.get(run.archive)?.[measure] ?? null, run[measure]]
        return theirs === null || ours === null ? [] : [[theirs, ours]]
      })
      const column = (i: number) => Float64Array.from(pairs, (pair) => pair[i])
      return differenceInterval(column(0), column(1), { seed })
    }),
  }))
}
