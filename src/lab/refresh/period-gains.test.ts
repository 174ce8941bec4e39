import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { GainCurve } from '#search/gain/gain-curve.test-kit.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import { exactGains, gainRates, termGains, weeklyGains } from './period-gains.ts'
import { type RefreshScoring, refreshLab, refreshTexts } from './refresh-lab.ts'

test('δQ is the mean over refreshes of gain by weeks since the one before', () => {
  const period = { from: 0, to: 48 }
  const rates = gainRates(3, period, (visit) => {
    visit(0, 1, 1)
    visit(1, 4, 2)
    visit(0, 48, 1)
  })
  expect([...rates]).toEqual([(1 / 1 + 1 / 47) / 2, 2 / 4, 0])
  expect(rates[0]).toBeCloseTo(0.51, 2)
})

test('were every page refreshed every week, all weeks count alike', () => {
  const weekly = weeklyGains(2, { from: 24, to: 48 }, (visit) => {
    visit(0, 25, 1)
    visit(0, 48, 2)
  })
  expect([...weekly]).toEqual([3 / 24, 0])
})

test('weeks since a refresh are counted from the beginning of the period', () => {
  const rates = gainRates(1, { from: 24, to: 48 }, (visit) => visit(0, 30, 3))
  expect(rates[0]).toBe(3 / 6)
})

const QUERIES = [
  { id: '1', text: 'red', weight: 1 },
  { id: '2', text: 'blue', weight: 2 },
  { id: '3', text: 'red tea', weight: 5 },
]
/** By page: its words in the first week and in the second. */
const WORDS: readonly (readonly [string, string])[] = [
  ['red red tea', 'blue blue tea'],
  ['red blue green green', 'red blue green green'],
  ['blue blue blue green', 'red tea tea'],
]

function labWith(scoring: RefreshScoring) {
  const pages = WORDS.map(([first, second], page) => [
    `http://a.example/${page}`,
    [first, second].map((words, week) => ({
      live: [week, week] as [number, number],
      text: [words],
      // The first page has two in-links, the second one, the third none.
      links: [[`http://a.example/${[1, 0, 0][page]}`, 'x'] as [string, string]],
    })),
  ])
  return refreshLab(
    refreshTexts(archiveOf(smallArchive(2, Object.fromEntries(pages))), QUERIES),
    scoring,
  )
}

/** By hand: each term is asked as often as all queries that have it, and few results need no approximation. */
function naiveTermGain(page: number, scoring: RefreshScoring): number {
  const asked: Record<string, number> = { red: 6 / 8, blue: 2 / 8, tea: 5 / 8 }
  const score = (of: number, week: 0 | 1, term: string): number => {
    const words = WORDS[of][week].split(' ')
    const count = words.filter((word) => word === term).length
    if (scoring === 'inlinks') return count > 0 ? [2, 1, 0][of] : 0
    const pagesWith = WORDS.filter(([first]) => first.split(' ').includes(term)).length
    return Math.sqrt(count / words.length) * (1 + Math.log(3 / (pagesWith + 1))) ** 2
  }
  return Object.entries(asked).reduce((sum, [term, share]) => {
    const scores = WORDS.map((_, of) => score(of, 0, term)).sort((a, b) => b - a)
    const curve = GainCurve.from(scores, powerVisibility)
    return sum + share * curve.gainOfResult(score(page, 0, term), score(page, 1, term))
  }, 0)
}

test.each(['tfidf', 'inlinks'] as const)(
  'single terms gain as often as they are asked, by their scores: %s',
  (scoring) => {
    const lab = labWith(scoring)
    const gains = new Map<number, number>()
    termGains(lab, scoring, { from: 0, to: 1 })((page, week, gain) => {
      expect(week).toBe(1)
      gains.set(lab.pages.archivePages[page], gain)
    })
    expect([...gains.keys()].sort()).toEqual([0, 2])
    for (const [page, gain] of gains) expect(gain).toBeCloseTo(naiveTermGain(page, scoring), 6)
    expect(Math.max(...gains.values())).toBeGreaterThan(0.05)
    termGains(lab, scoring, { from: 1, to: 1 })(() => expect.unreachable('before the period'))
  },
)

test('exact gains go by whole queries, page after page in the order of the week', () => {
  const lab = labWith('tfidf')
  const told: number[] = []
  exactGains(lab, { from: 0, to: 1 })((page, _week, gain) => {
    expect(gain).toBeGreaterThan(0)
    told.push(page)
  })
  expect(told).toEqual([...lab.pages.changedPages[1]])
})
