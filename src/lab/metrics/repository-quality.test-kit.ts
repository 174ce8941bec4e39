import { powerVisibility, type Visibility } from '#search/gain/visibility.ts'

/**
 * A query and every page that answers it, by its copy or live; entries at one place belong together.
 * A score of 0 is no answer: of a copy that misses a word or is not held, of a live page that is gone.
 */
export interface ScoredQuery {
  /** How often it is asked. */
  readonly weight: number
  readonly pages: ArrayLike<number>
  /** Of the copies held: these decide the order in which searchers see the pages. */
  readonly storedScores: ArrayLike<number>
  /** Of the pages as they are now: these are what searchers get. */
  readonly liveScores: ArrayLike<number>
}

/** What searchers of one query get from the copies held, and would get if all of them were current. */
interface QueryQuality {
  readonly earned: number
  readonly ideal: number
}

interface RepositoryQuality {
  /** 0 to 1; undefined if the live web answers no query. */
  readonly quality: number | undefined
  /** By query, times its weight. */
  readonly earned: Float64Array
  readonly ideal: Float64Array
}

/**
 * How good the answers are that a repository gives, against those of one that is always current.
 *
 * @paper PandeyOlston2005 §3.2 Eq. 5
 */
export function repositoryQuality(
  queries: readonly ScoredQuery[],
  visibility: Visibility = powerVisibility,
): RepositoryQuality {
  const earned = new Float64Array(queries.length)
  const ideal = new Float64Array(queries.length)
  let earnedSum = 0
  let idealSum = 0
  for (const [i, query] of queries.entries()) {
    const quality = queryQuality(query, visibility)
    earned[i] = query.weight * quality.earned
    ideal[i] = query.weight * quality.ideal
    earnedSum += earned[i]
    idealSum += ideal[i]
  }
  return { quality: idealSum > 0 ? earnedSum / idealSum : undefined, earned, ideal }
}

/**
 * The quality of one query's answers, without its weight. Equal stored scores go by the lower page
 * number, as in search. A page that is gone keeps its rank until a visit finds out, and earns nothing.
 *
 * @paper PandeyOlston2005 §3 Eq. 1 and 4
 */
export function queryQuality(query: ScoredQuery, visibility: Visibility): QueryQuality {
  const { pages, storedScores, liveScores } = query
  const answers = Uint32Array.from({ length: pages.length }, (_, i) => i)
    .filter((i) => storedScores[i] > 0)
    .sort((a, b) => storedScores[b] - storedScores[a] || pages[a] - pages[b])
  let earned = 0
  for (let i = 0; i < answers.length; i++) earned += visibility(i + 1) * liveScores[answers[i]]
  const best = Float64Array.from(liveScores).sort().reverse()
  let ideal = 0
  for (let i = 0; i < best.length; i++) ideal += visibility(i + 1) * best[i]
  return { earned, ideal }
}
