import { differenceInterval, type Interval, meanInterval } from './bootstrap.ts'

/** Numbers of one policy on one archive; null where there is none. */
export type PolicyRun<Measure extends string> = Readonly<Record<Measure, number | null>> & {
  readonly archive: string
  readonly policy: string
}

type Intervals<Measure extends string> = Readonly<Partial<Record<Measure, Interval>>>

/** Tables of means over archives. */
export type PolicyMeans<Measure extends string> = {
  readonly means: readonly (Intervals<Measure> & { readonly policy: string })[]
  /** By how much the last policy has more than each other one, on the same archives. */
  readonly leads: readonly (Intervals<Measure> & { readonly than: string })[]
}

/** Each policy's means over archives, and the leads of the last policy where both have a number. */
export function policyMeans<Measure extends string>(
  runs: readonly PolicyRun<Measure>[],
  measures: readonly Measure[],
  seed: number,
): PolicyMeans<Measure> {
  const policies = [...Map.groupBy(runs, ({ policy }) => policy)]
  const last = new Map(policies.at(-1)?.[1].map((run) => [run.archive, run]))
  const each = (interval: (measure: Measure) => Interval | undefined) =>
    Object.fromEntries(
      measures.map((measure) => [measure, interval(measure)]),
    ) as Intervals<Measure>
  return {
    means: policies.map(([policy, own]) => ({
      policy,
      ...each((measure) =>
        meanInterval(Float64Array.from(own.flatMap((run) => run[measure] ?? [])), { seed }),
      ),
    })),
    leads: policies.slice(0, -1).map(([than, own]) => ({
      than,
      ...each((measure) => {
        const pairs = own.flatMap((run) => {
          const [theirs, ours] = [last.get(run.archive)?.[measure] ?? null, run[measure]]
          return theirs === null || ours === null ? [] : [[theirs, ours]]
        })
        const column = (i: number) => Float64Array.from(pairs, (pair) => pair[i])
        return differenceInterval(column(0), column(1), { seed })
      }),
    })),
  }
}
