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
  {
    where: 'src/lab/schedules/staleness.ts',
    what: '.fill(1) → const even = new Float64Array(rates.length).fill(2)',
    why: 'all pages weigh alike, whatever that is',
  },
  {
    where: 'src/lab/schedules/staleness.ts',
    what: 'Math.min(fetchesPerWeek * weeks, Math.floor(asked))',
    why: 'less than the budget is asked for only if every page has a fetch a week: a whole number, up to rounding',
  },
  ...['i <= a.length && j < b.length', 'i < a.length && j <= b.length'].map((condition) => ({
    where: 'src/lab/refresh/shingles.ts',
    what: `→ for (let i = 0, j = 0; ${condition}; ) {`,
    why: 'beyond the end nothing is equal to anything, and one of the two has ended',
  })),
  {
    where: 'src/lab/refresh/shingles.ts',
    what: '→ } else if (a[i] <= b[j]) i++',
    why: 'equal ones were dealt with before',
  },
  {
    where: 'src/policy/refresh/likeliest-rate.ts',
    what: '→ if (logs[rate] >= logs[best]) best = rate',
    why: 'two rates are never equally likely',
  },
  {
    where: 'src/importance/pagerank.ts',
    what: 'tolerance = 2e-9, onRound } = options',
    why: 'shares in single precision stop moving long before, or not at all',
  },
  ...['maxSteps = 400000001, seed = 1', 'maxSteps = 4e8, seed = 2'].map((options) => ({
    where: 'src/importance/harmonic.ts',
    what: `→ const { ${options} } = options`,
    why: 'another limit of cost, or another sample of sources, does as well',
  })),
  {
    where: 'src/importance/harmonic.ts',
    what: '→ while (drawn < count && walks.steps <= maxSteps) {',
    why: 'the limit of cost is passed by a batch anyway',
  },
]
