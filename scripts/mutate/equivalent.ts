/** Mutations that change nothing that anybody could notice, by the end of the line that `npm run mutate` prints, and why. */
export const EQUIVALENT: readonly {
  readonly where: string
  readonly what: string
  readonly why: string
}[] = [
  ...[
    '(mixHash(seed, page)) / 2',
    '(mixHash(seed, page) - 1) / 2',
    '(mixHash(seed, page) + 2) / 2',
  ].map((phase) => ({
    where: 'src/lab/schedules/fetch-times.ts',
    what: `→ const phase = ${phase} ** 32`,
    why: 'a phase that is off by 1 in 4 billion; 1 is added so that it is never 0',
  })),
]
