import { expect, test } from 'vitest'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { QueryTracker } from './track-queries.ts'

test('a cycle that brings answers shows, one that does not shows too', () => {
  const index = new TextIndex(defaultAnalyser)
  const page = (text: string) => ({ url: 'https://a.org/', title: text, text, anchors: [] })
  index.replace(0, page('blue whales'))
  const queries = [
    { id: '1', text: 'whale', weight: 1 },
    { id: '2', text: 'squid', weight: 5 },
  ]
  const tracker = new QueryTracker(queries, index)
  index.replace(1, page('giant squid'))
  index.replace(2, page('squid recipes'))
  const [squid, whale] = tracker.progress(index)
  expect(squid).toMatchObject({ query: 'squid', averageScore: 0, newResults: 2 })
  expect(whale).toMatchObject({ query: 'whale', newResults: 0 })
  expect(whale.averageScore).toBeGreaterThan(0)
  expect(tracker.progress(index).map(({ newResults }) => newResults)).toEqual([0, 0])
})
