import { tokenize } from '#parse/text/tokens.ts'

/** How much two texts have in common, by counts of their words: 1 if all, 0 if none. */
export function wordF1(found: string, truth: string): number {
  const wanted = countsOf(truth)
  const got = countsOf(found)
  let common = 0
  for (const [word, count] of got) common += Math.min(count, wanted.get(word) ?? 0)
  const sizes = sumOf(wanted) + sumOf(got)
  return sizes === 0 ? 1 : (2 * common) / sizes
}

function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of tokenize(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((sum, count) => sum + count, 0)
}

/** Means of figures by set and program. */
export function means(rows: readonly { set: string; right: Record<string, number> }[]) {
  return [...Map.groupBy(rows, ({ set }) => set)].map(([set, some]) => ({
    set,
    pages: some.length,
    ...Object.fromEntries(
      Object.keys(some[0].right).map((program) => {
        const sum = some.reduce((total, { right }) => total + right[program], 0)
        return [program, Number((sum / some.length).toFixed(3))]
      }),
    ),
  }))
}
