import { powerVisibility } from '#search/gain/visibility.ts'
import type { AnswerScores } from '../refresh/answer-scores.ts'
import type { WeeklyPages } from '../refresh/weekly-pages.ts'

/**
 * What the searchers of each query would get in each week if a current copy of every live page were held:
 * row w of the result, one number a query, lies at w · queries.
 */
export function queryIdeals(pages: WeeklyPages, answers: AnswerScores): Float64Array {
  const queryCount = answers.slotOffsets.length - 1
  const ideals = new Float64Array(pages.weeks * queryCount)
  const live = new Float64Array(answers.slotPages.length)
  const isMoved = new Uint8Array(queryCount)
  const setScores = (content: number, scoreOf: (at: number) => number) => {
    for (let at = answers.offsets[content]; at < answers.offsets[content + 1]; at++) {
      live[answers.slots[at]] = scoreOf(at)
      isMoved[answers.slotQueries[answers.slots[at]]] = 1
    }
  }
  for (let week = 0; week < pages.weeks; week++) {
    const changed = week === 0 ? pages.archivePages.keys() : pages.changedPages[week]
    isMoved.fill(0)
    for (const page of changed) {
      const place = page * pages.weeks + week
      if (week > 0) setScores(pages.contents[place - 1], () => 0)
      setScores(pages.contents[place], (at) => answers.scores[at])
    }
    for (let query = 0; query < queryCount; query++) {
      const at = week * queryCount + query
      if (isMoved[query] === 1) ideals[at] = bestOrder(query, answers, live)
      else if (week > 0) ideals[at] = ideals[at - queryCount]
    }
  }
  return ideals
}

function bestOrder(query: number, { slotOffsets }: AnswerScores, live: Float64Array): number {
  const scores = live.slice(slotOffsets[query], slotOffsets[query + 1]).sort()
  let sum = 0
  for (let rank = 1; rank <= scores.length && scores[scores.length - rank] > 0; rank++)
    sum += powerVisibility(rank) * scores[scores.length - rank]
  return sum
}
