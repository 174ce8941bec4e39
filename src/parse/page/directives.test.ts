import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forbidsSearch, readDirectives, readMetaDirectives } from './directives.ts'

const DAY = Date.parse('2030-06-25T15:00:00Z') / 1000

/** `i` noindex, `f` nofollow, `a` noarchive, `s` nosnippet, and the hours from DAY. */
function short(asked: ReturnType<typeof readDirectives>): string {
  const until = asked.unavailableAfter
  return [
    asked.noindex ? 'i' : '',
    asked.nofollow ? 'f' : '',
    asked.noarchive ? 'a' : '',
    asked.nosnippet ? 's' : '',
    until === undefined ? '' : `@${(until - DAY) / 3600}`,
  ].join('')
}

test.each<[string | string[] | undefined, string]>([
  [undefined, ''],
  ['', ''],
  ['all', ''],
  ['index, follow', ''],
  ['noindex', 'i'],
  ['NoFollow', 'f'],
  ['none', 'if'],
  ['noindex,nofollow', 'if'],
  ['noarchive, nosnippet', 'as'],
  ['nocache', 'a'],
  ['noindex, indexifembedded', 'i'],
  ['noimageindex, notranslate', ''],
  ['max-snippet: 20, noindex', 'i'],
  ['max-snippet:0', 's'],
  ['max-image-preview:large', ''],
  ['unavailable_after: 25 Jun 2030 15:00:00 GMT', '@0'],
  ['unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow', 'f@8'],
  ['noindex, unavailable_after: Tuesday, 25-Jun-30 16:00:00 UTC, nofollow', 'if@1'],
  ['unavailable_after: 2030-06-25T15:00:00+01:00', '@-1'],
  ['unavailable_after: 2030-06-25T16:00:00Z, unavailable_after: 2030-06-25T15:00:00Z', '@0'],
  ['unavailable_after: one day, noindex', 'i'],
  ['forager: noindex', 'i'],
  ['FORAGER: noindex, nofollow', 'if'],
  ['*: noindex', 'i'],
  ['otherbot: noindex, nofollow', ''],
  ['otherbot: noindex, forager: nofollow', 'f'],
  ['otherbot: unavailable_after: 25 Jun 2030 15:00:00 GMT', ''],
  ['forager: unavailable_after: 25 Jun 2030 15:00:00 GMT', '@0'],
  ['otherbot: noindex, max-snippet:0', ''],
  ['forager: unavailable_after: Tue, 25 Jun 2030 15:00:00 GMT, noindex', 'i@0'],
  [['otherbot: noindex', 'nofollow'], 'f'],
  [['forager: nofollow', 'noindex'], 'if'],
])('X-Robots-Tag %j asks us for %j', (header, expected) => {
  expect(short(readDirectives(header, 'Forager'))).toBe(expected)
})

test.each([
  ['noindex nofollow', 'if'],
  ['NOINDEX,NOARCHIVE', 'ia'],
  ['otherbot: noindex', 'i'],
  ['unavailable_after: 25-Jun-2030 15:00:00 GMT', '@0'],
  ['follow,,none', 'if'],
])('meta robots %j asks for %j, whoever it is for', (content, expected) => {
  expect(short(readMetaDirectives(content))).toBe(expected)
})

test('any header is read', () => {
  const piece = fc.constantFrom(':', ',', ' ', 'noindex', 'forager', '*', 'unavailable_after', 'é')
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((all) => all.join('')),
      ),
      (header) => {
        expect(typeof readDirectives(header, 'forager').noindex).toBe('boolean')
      },
    ),
  )
  expect(readDirectives(`${'a:,'.repeat(50_000)}forager: noindex`, 'forager').noindex).toBe(true)
})

test.each([
  ['search=n', true],
  ['train-ai=y, search=n', true],
  ['search=no,ai-train=no', true],
  ['search = no; ai-train = yes', true],
  ['search=y', false],
  ['search=yes, ai-train=no', false],
  ['research=no', false],
  ['train-ai=n', false],
])('usage preferences "%s" forbid search: %s', (usage, forbids) => {
  expect(forbidsSearch(usage)).toBe(forbids)
})
