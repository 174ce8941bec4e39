import type { StringTable } from '#numeric/string-table.ts'
import { rowOfTerm, type Segment } from './segment.ts'

/** Which pages may answer, by terms they have. */
export interface ChosenPages {
  /** A page must have a term of each of these. */
  readonly required: readonly (readonly string[])[]
  /** And none of these. */
  readonly excluded: readonly string[]
}

/** By place of a segment, 1 if its page is alive and chosen. */
export function allowedPlaces(
  segment: Segment,
  alive: Uint8Array,
  { required, excluded }: ChosenPages,
  terms: StringTable,
): Uint8Array {
  const allowed = alive.slice()
  for (const forms of required) {
    const having = placesWith(segment, forms, terms)
    for (let place = 0; place < allowed.length; place++) allowed[place] &= having[place]
  }
  const forbidden = placesWith(segment, excluded, terms)
  for (let place = 0; place < allowed.length; place++) allowed[place] &= 1 - forbidden[place]
  return allowed
}

/** By place, 1 if its page has any of these terms. */
function placesWith(segment: Segment, forms: readonly string[], terms: StringTable): Uint8Array {
  const having = new Uint8Array(segment.urls.length)
  for (const form of forms) {
    const term = terms.find(form)
    const row = term === undefined ? undefined : rowOfTerm(segment, term)
    if (row === undefined) continue
    for (let posting = segment.offsets[row]; posting < segment.offsets[row + 1]; posting++)
      having[segment.places[posting]] = 1
  }
  return having
}
