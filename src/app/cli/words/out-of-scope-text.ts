import { EXCLUDED, NOT_INCLUDED } from '#frontier/scope.ts'
import type { CrawlSummary } from '#library/run/crawl-summary.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { some } from '../terminal/output.ts'

/** The settings that keep links out, by how the reason begins. */
const KEPT_OUT_BY: readonly (readonly [string, string])[] = [
  [`${NOT_INCLUDED} for `, ' (its scope.include in "sites")'],
  [`${EXCLUDED} for `, ' (its scope.exclude in "sites")'],
  [NOT_INCLUDED, ' (--include)'],
  [EXCLUDED, ' (--exclude)'],
  ['outside ', ' (--scope)'],
  ['deeper ', ' (--max-depth)'],
]

/** Links that were not followed: how many, which setting kept them out, and one or two of them. */
export function outOfScopeLines({
  outOfScope = {},
  outOfScopeExamples = {},
}: Pick<CrawlSummary, 'outOfScope' | 'outOfScopeExamples'>): string[] {
  return Object.entries(outOfScope).map(([reason, links]) => {
    const [, setting = ''] = KEPT_OUT_BY.find(([begin]) => reason.startsWith(begin)) ?? []
    const examples = (outOfScopeExamples[reason] ?? []).map(plainText)
    const shown = examples.length > 0 ? `, as ${examples.join(' and ')}` : ''
    return `${some(links, 'link')} left alone: ${reason}${setting}${shown}`
  })
}
