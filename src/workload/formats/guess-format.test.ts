import { expect, test } from 'vitest'
import { guessFormat } from './guess-format.ts'

test.each([
  ['csv', 'query,count'],
  ['csv', 'query;count;url;clicks'],
  ['csv', '"vacuum, full",50'],
  ['csv', 'vacuum table\t50'],
  ['gsc', 'Top queries,Clicks,Impressions,CTR,Position'],
  ['gsc', '{"rows": [{"keys": ["shoes"], "clicks": 3, "impressions": 40}]}'],
  ['matomo', 'label,nb_visits,nb_hits'],
  ['matomo', '[{"label": "shoes", "nb_hits": 3}]'],
  ['ubi', '{"query_id": "1", "user_query": "shoes"}'],
  ['ubi', '{"_source": {"action_name": "click"}}'],
  ['accesslog', '1.2.3.4 - - [18/Nov/2026:10:00:00 +0000] "GET /search?q=shoes HTTP/1.1" 200 12'],
  ['trec', '<top>'],
])('%s: %s', (format, line) => {
  expect(guessFormat(line)).toBe(format)
})

test.each([
  '',
  '301\tinternational organized crime',
  '301 0 doc 1',
  'shoes',
  '[',
  'a,b',
  'root:x:0:0',
])('who could mean several things, or none, is asked: %s', (line) => {
  expect(guessFormat(line)).toBeUndefined()
})
