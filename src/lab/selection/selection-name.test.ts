import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { parseSelectionName, SELECTION_EXAMPLES } from './selection-name.ts'

const policies = ['pagerank', 'indegree', 'td-indegree', 'mine+yours']
const parse = (name: string) => parseSelectionName(name, policies)

test('a name is a policy, perhaps a union, perhaps a limit', () => {
  expect(parse('td-indegree')).toEqual({ policy: 'td-indegree' })
  expect(parse('pagerank+td12')).toEqual({ policy: 'pagerank', cutoff: 12 })
  expect(parse('indegree@static-100')).toEqual({
    policy: 'indegree',
    limit: { kind: 'static', pages: 100, refill: false },
  })
  expect(parse('pagerank+td2@clicks-score-0.5-refill')).toEqual({
    policy: 'pagerank',
    cutoff: 2,
    limit: { kind: 'score', signal: 'clicks', scale: 0.5, refill: true },
  })
  expect(parse('pagerank@entries-rank-256').limit).toEqual({
    kind: 'rank',
    signal: 'entries',
    scale: 256,
    refill: false,
  })
})

test("a user's policy may have our signs in its name", () => {
  expect(parse('mine+yours')).toEqual({ policy: 'mine+yours' })
})

test.each(SELECTION_EXAMPLES)('the example $name is understood', ({ name }) => {
  expect(parse(name).policy).toBe('pagerank')
})

test.each([
  [
    'pagrank+td2',
    'begins with none of pagerank, indegree, td-indegree, mine+yours. Did you mean pagerank?',
  ],
  ['', 'begins with none of'],
  ['+td2', 'begins with none of'],
  ['pagerank+td0', 'as in pagerank+td2'],
  ['pagerank+td', 'as in pagerank+td2'],
  ['pagerank+indegree', 'as in pagerank+td2'],
  ['pagerank@', 'has a limit other than static-S, domains-score-S, domains-rank-S, clicks-score-S'],
  ['pagerank@domain-score-3', 'Did you mean domains-score?'],
  ['pagerank@statik-100', 'Did you mean static?'],
  ['pagerank@clicks-score', 'has a limit other than'],
  ['pagerank@clicks-score-1e3', 'has a limit other than'],
  ['pagerank@static-100-refil', 'has a limit other than'],
  ['pagerank@static-2.5', 'whole number of pages'],
  ['pagerank@static-0', 'a limit of 0'],
  ['pagerank@static-10+td2', 'has a limit other than'],
])('%s is refused: %s', (name, message) => {
  expect(() => parse(name)).toThrow(SettingError)
  expect(() => parse(name)).toThrow(`policies: "${name}"`)
  expect(() => parse(name)).toThrow(message)
})
