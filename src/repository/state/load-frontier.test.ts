import { expect, onTestFinished, test } from 'vitest'
import type { Frontier } from '#frontier/frontier.ts'
import { apply } from '#learn/apply.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { knowledge } from '#learn/knowledge.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { CrawlStore } from './crawl-store.ts'
import { CYCLES, DAY, PATHS, randomSites } from './random-sites.test-kit.ts'

const plan = { purpose: 'acquire', predictedGain: 0 } as const

function learnCycle(outcomes: readonly FetchOutcome[], frontier: Frontier) {
  const known = knowledge({ frontier })
  for (const outcome of outcomes) apply({ kind: 'fetch', ...plan, outcome }, known)
  return apply({ kind: 'end', cycle: 1, at: 1 }, known).fetches
}

function knownTo(frontier: Frontier, now: number) {
  const urls = Array.from({ length: frontier.size }, (_, url) => ({
    ...{ url, state: frontier.stateOf(url), retryAt: frontier.retryAtOf(url) },
    ...{ failures: frontier.failuresOf(url), lastVisit: frontier.lastVisitOf(url) },
    ...{ original: frontier.duplicates.notedOriginal(url), isLost: frontier.isLost(url) },
    ...{ validators: frontier.validators.of(url), until: frontier.unavailableAfter.get(url) },
    ...{ links: [...frontier.links.targetsOf(url)], inLinks: frontier.inLinksOf(url) },
  }))
  const { pages } = frontier.refreshFacts(now)
  return { urls, pages, open: frontier.unfetched(now), looks: frontier.secondLooks(now) }
}

test.runIf(isThorough)(
  'a crawl read back knows what one that never stopped does, and learns the same',
  async () => {
    const dir = temporaryFolder()
    const store = await CrawlStore.open(dir)
    onTestFinished(() => store.close())
    const { frontier } = await store.load()
    const { count, outcomesOf } = randomSites(7)
    for (let site = 0; site < count; site++)
      for (const path of PATHS) frontier.add(`https://s${site}.org/${path}`, 'seed', 0, 1)
    for (let cycle = 1; cycle < CYCLES; cycle++) {
      const at = 10 * DAY * cycle
      const learnt = learnCycle(outcomesOf(cycle, at), frontier)
      const record = { cycle, startedAt: at, endedAt: at, planned: learnt.length }
      await store.commit({ ...record, fetches: learnt }, frontier)
      const { frontier: loaded } = await store.load()
      expect(knownTo(loaded, at + DAY)).toEqual(knownTo(frontier, at + DAY))
      const outcomes = outcomesOf(0, at + DAY)
      if (cycle === CYCLES - 1)
        expect(learnCycle(outcomes, loaded)).toEqual(learnCycle(outcomes, frontier))
    }
  },
)
