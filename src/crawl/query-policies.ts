import { impact } from '#policy/acquire/impact.ts'
import { PaperLessons } from '#policy/acquire/paper/paper-model.ts'
import { PAPER_POLICIES, paperPolicy } from '#policy/acquire/paper/paper-policies.ts'
import type { Policy } from '#policy/bids.ts'
import type { AcquisitionFacts } from '#policy/facts/acquisition-facts.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'

/** A policy that reads queries, as a crawl begins it. */
export interface QueryPolicy {
  /** One line for `--help`. */
  readonly summary: string
  /** Whether it goes by the model that acquisition learns. */
  readonly learns: boolean
  /** Whether its bids are quality, so that they can be held against what was gained. */
  readonly bidsInQuality: boolean
  begin(index: TextIndex): Policy<AcquisitionFacts>
}

/** Every policy that reads queries, by name. */
export const QUERY_POLICIES: Readonly<Record<string, QueryPolicy>> = {
  impact: {
    summary: 'most gain for what searchers ask first',
    learns: true,
    bidsInQuality: true,
    begin: () => impact,
  },
  ...Object.fromEntries(Object.keys(PAPER_POLICIES).map((name) => [name, fromPaper(name)])),
}

/** A policy of Pandey and Olston, learning as the crawl goes. */
function fromPaper(name: string): QueryPolicy {
  const { summary, options } = PAPER_POLICIES[name]
  return {
    summary,
    learns: false,
    bidsInQuality: false,
    begin: (index) => {
      const lessons = new PaperLessons(index, defaultScoring, options.rule)
      const policy = paperPolicy(options)
      return (facts) => policy(lessons.taught(facts))
    },
  }
}
