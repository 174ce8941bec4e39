import { describe, expect, test } from 'vitest'
import { costMs, heldBytes, staysLinear } from '#numeric/stays-linear.test-kit.ts'
import { LOG_FORMATS } from './formats/formats.ts'
import type { Finding } from './formats/log-record.ts'
import { normalQuery } from './normal-query.ts'

/** Lines of so many characters in all. */
type Shape = (size: number) => readonly string[]

const lines = (line: string, size: number) =>
  new Array<string>(Math.ceil(size / line.length)).fill(line)
const nested = (size: number) => '['.repeat(size / 2) + ']'.repeat(size / 2)
const request = (target: string, referer = '-', agent = 'Mozilla/5.0') =>
  `192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET ${target}" 200 1 "${referer}" "${agent}"`

// biome-ignore format: a table reads better with one line a shape
const SHAPES: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  csv: {
    'a line of separators': (size) => [',,', ','.repeat(size)],
    'a line of quotes': (size) => ['a,b', '"'.repeat(size)],
    'a quote that never closes': (size) => [`"${'a'.repeat(size)}`],
    'lines that each keep a quote open': (size) => lines('a","b', size),
    'long lines that each keep a quote open': (size) => lines(`a","${'b'.repeat(size / 50)}`, size),
    'a count of endless digits': (size) => [`a,${'9'.repeat(size)}`],
  },
  gsc: {
    'a header of endless columns': (size) => ['page,'.repeat(size / 5)],
    'lists in lists': (size) => [`[{"keys": [${nested(size)}], "impressions": 1}]`],
    'endless dimensions': (size) => [`[{"keys": [${'"a",'.repeat(size / 4)}"a"], "impressions": 1}]`],
    'a row that never ends': (size) => ['[{"a":', ...lines('{"b":"xxxxxxxxx"},', size)],
    'rows of nothing': (size) => [`[${'{},'.repeat(size / 3)}{}]`],
  },
  matomo: {
    'lists in lists': (size) => [`[{"label": "a", "nb_hits": ${nested(size)}}]`],
    'a list of stray brackets': (size) => [`[${']}'.repeat(size / 2)}`],
  },
  trec: {
    'opening tags that never close': (size) => ['<top>', '<'.repeat(size)],
    'a title without an end': (size) => ['<top><title>', ...lines('a'.repeat(99), size)],
    'one long word': (size) => ['a'.repeat(size)],
    'a line of spaces': (size) => [`1 0 http://a.org/${' '.repeat(size)}x`],
    'a grade of endless digits': (size) => [`1 0 http://a.org/ ${'9'.repeat(size)}x`],
    'ampersands': (size) => [`<top><title>${'&a'.repeat(size / 2)}</top>`],
  },
  ubi: {
    'lists in lists': (size) => [`{"user_query": "a", "query_response_hit_ids": [${nested(size)}]}`],
    'a list of numbers': (size) => [`[${'1,'.repeat(size / 2)}1]`],
    'endless results': (size) => [`{"user_query": "a", "query_response_hit_ids": [${'"http://a.org/",'.repeat(size / 16)}1]}`],
    'a count of endless digits': (size) => [`{"user_query": "a", "query_attributes": {"count": ${'9'.repeat(size)}}}`],
    'records of nothing': (size) => lines('{}', size),
  },
  accesslog: {
    'an endless target': (size) => [request(`/?q=${'a'.repeat(size)}`)],
    'endless escapes': (size) => [request('\\"'.repeat(size / 2))],
    'targets of the longest line': (size) => lines(request(`/?q=${'a&'.repeat(30_000)}`), size),
    'agents of the longest line': (size) => lines(request('/?q=a', '-', 'http-'.repeat(12_000)), size),
    'words': (size) => lines('a '.repeat(30_000), size),
    'referers of marks': (size) => lines(request('/a', `http://a.org/?${'?#'.repeat(30_000)}`), size),
  },
}

function findingsOf(format: string, log: readonly string[]): Finding[] {
  const found: Finding[] = []
  const reader = LOG_FORMATS[format].reader((finding) => found.push(finding), { param: 'q' })
  for (const [i, line] of log.entries()) reader.read(line, i + 1)
  reader.end()
  return found
}

test('every format is tried with hostile logs (shapes of a new one belong into SHAPES)', () => {
  expect(Object.keys(SHAPES).sort()).toEqual(Object.keys(LOG_FORMATS).sort())
})

describe.each(Object.keys(SHAPES))('a hostile log as %s', (format) => {
  test.each(Object.keys(SHAPES[format]))(
    '%s: eight times the log takes about eight times as long',
    async (name) => {
      const read = (log: readonly string[]) => findingsOf(format, log)
      await staysLinear(SHAPES[format][name], read, { size: 1 << 18 })
    },
  )
})

test.each([
  ['csv', 'a quote that never closes'],
  ['csv', 'a line of separators'],
  ['accesslog', 'an endless target'],
  ['accesslog', 'endless escapes'],
  ['trec', 'opening tags that never close'],
])('%s: %s, at the greatest length of a line, costs that line only', (format, name) => {
  const found = findingsOf(format, SHAPES[format][name](15 << 20))
  expect(found.filter(({ kind }) => kind === 'malformed').length).toBeLessThanOrEqual(2)
})

test.each([
  ['ubi', '{"user_query": "a", "query_response_hit_ids": [{"toString": 1}]}'],
  [
    'ubi',
    '{"action_name": "click", "query_id": "1", "event_attributes": {"object": {"object_id": {"toString": 1}}}}',
  ],
  [
    'ubi',
    '{"action_name": "click", "query_id": "1", "event_attributes": {"object": {"object_id": "http://a.org/"}, "position": {"ordinal": [{"toString": 1}]}}}',
  ],
  ['gsc', '[{"keys": [{"toString": 1}], "impressions": 1}]'],
  ['matomo', '[{"label": "a", "nb_hits": {"toString": 1}}]'],
])('%s: a record that names its own toString is read like any other: %s', (format, line) => {
  expect(findingsOf(format, [line])).toHaveLength(1)
})

test('of a row without an end only so much is kept', () => {
  const line = 'x'.repeat(1 << 20)
  const before = heldBytes()
  const reader = LOG_FORMATS.gsc.reader(() => {}, { param: 'q' })
  reader.read('[{"a":', 1)
  // Each line is a text of its own, as it would come from a file.
  for (let i = 0; i < 64; i++) reader.read(`${line}${i}`.toUpperCase(), i + 2)
  expect(heldBytes() - before).toBeLessThan(20 << 20)
  reader.end()
})

test('a query that is nearly an e-mail address is judged about as fast as any other', async () => {
  const judge = (text: string) => () => {
    for (let i = 0; i < 3000; i++) normalQuery(text)
  }
  const least = async (text: string) =>
    Math.min(await costMs(judge(text), 0), await costMs(judge(text), 0))
  const plain = await least('ab '.repeat(99))
  expect(await least(`${'a'.repeat(295)}@b`)).toBeLessThan(8 * plain)
})
