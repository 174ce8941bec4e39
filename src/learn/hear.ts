import type { Told } from '#frontier/told.ts'
import type { ToldEntry } from './entries/entry.ts'
import type { Knowledge } from './knowledge.ts'

/** Nobody knows how far it is from a seed; a crawl of seeds alone does not take it in. */
const DEPTH = 1

/** Takes in what a crawl was told of: URLs in scope, and what was claimed of them. */
export function hear({ told, at }: ToldEntry, { frontier, scope }: Knowledge): void {
  for (const { url, changedAt } of told) {
    const isWelcome = frontier.urls.find(url) !== undefined || scope(url, DEPTH) === undefined
    if (!isWelcome) continue
    const number = frontier.add(url, 'told', DEPTH, at)
    if (changedAt !== undefined) frontier.claims.claim(number, notLater(changedAt, at))
  }
}

/** A change that is yet to come would be claimed for ever. */
export function notLater(changedAt: Exclude<Told['changedAt'], undefined>, at: number): number {
  return Math.min(changedAt, at)
}
