import { ExactSum, type SumLimbs } from './exact-sum.ts'

/** A sum that others can be added to, whoever adds up what (`ExactSum`). */
export interface ExactPart {
  readonly limbs: SumLimbs
}

/** Counts and sums of a part of a crawl, under whatever names. */
type Tally = number | ExactPart | readonly Tally[] | { readonly [name: string]: Tally }

/** The same of all parts, as numbers. */
export type Totals<T> = T extends number | ExactPart
  ? number
  : { readonly [Name in keyof T]: Totals<T[Name]> }

/** What tallies of one shape come to: the same to the last bit, whoever counted what. */
export function totalsOf<T extends Tally>(all: readonly T[]): Totals<T> {
  return added(all) as Totals<T>
}

function added(all: readonly Tally[]): unknown {
  const [shape] = all
  if (typeof shape === 'number') return (all as number[]).reduce((sum, one) => sum + one, 0)
  if (isExact(shape)) {
    const sum = new ExactSum()
    for (const one of all) sum.addLimbs((one as ExactPart).limbs)
    return sum.value
  }
  if (Array.isArray(shape))
    return shape.map((_, place) => added(all.map((one) => (one as Tally[])[place])))
  return Object.fromEntries(
    Object.keys(shape).map((name) => [
      name,
      added(all.map((one) => (one as Record<string, Tally>)[name])),
    ]),
  )
}

function isExact(part: Tally): part is ExactPart {
  return typeof part === 'object' && 'limbs' in part
}

/** The sum of some numbers, as others can add to it; less than nothing counts as nothing. */
export function exactPart(terms: Iterable<number>): ExactPart {
  const sum = new ExactSum()
  for (const term of terms) if (term > 0) sum.add(term)
  return { limbs: sum.limbs }
}
