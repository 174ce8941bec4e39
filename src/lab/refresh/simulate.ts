import { HeldAnswers } from './held-answers.ts'
import type { RefreshLab } from './refresh-lab.ts'

/** Over the weeks from which the copies are all current, to the last, both included. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** What happened when a copy was fetched again. */
interface Refetch {
  readonly page: number
  readonly changed: boolean
  /** As a crawler measures it. */
  readonly gain: number
  /** How often searchers saw the copy before. */
  readonly clicks: number
}

/** Who decides which copies to fetch, and learns what came of it. */
export interface Refresher {
  /** The pages to fetch in a week. */
  choose(week: number, held: HeldAnswers): ArrayLike<number>
  learn?(week: number, refetch: Refetch): void
}

/** Quality 0 to 1, as the mean over weeks just before and just after the fetches. */
interface RefreshOutcome {
  readonly quality: number
  readonly qualityBefore: number
  readonly fetches: number
}

/**
 * Lets pages change week by week and copies be fetched; tells how good the answers were. A shortcut: the real crawl
 * that refreshes copies of the same pages comes to the same quality.
 */
export function simulate(lab: RefreshLab, period: Period, refresher: Refresher): RefreshOutcome {
  const { pages, ideals } = lab
  const held = currentAt(lab, period.from).copy()
  let before = 0
  let after = 0
  let fetches = 0
  for (let week = period.from + 1; week <= period.to; week++) {
    for (const page of pages.changedPages[week])
      held.change(page, pages.contents[page * pages.weeks + week])
    before += held.earned / ideals[week]
    const list = refresher.choose(week, held)
    for (let i = 0; i < list.length; i++) {
      const page = list[i]
      const changed = held.isStale(page)
      const clicks = held.clicks[page]
      const gain = changed ? held.refresh(page) : 0
      refresher.learn?.(week, { page, changed, gain, clicks })
      fetches++
    }
    after += held.earned / ideals[week]
  }
  const weeks = period.to - period.from
  return {
    quality: (before + after) / (2 * weeks),
    qualityBefore: before / weeks,
    fetches,
  }
}

/** By lab: the latest state that was asked for, as many runs begin with the same. */
const states = new WeakMap<RefreshLab, { readonly week: number; readonly held: HeldAnswers }>()

function currentAt(lab: RefreshLab, week: number): HeldAnswers {
  const known = states.get(lab)
  if (known?.week === week) return known.held
  const held = HeldAnswers.at(lab.pages, lab.answers, week)
  states.set(lab, { week, held })
  return held
}
