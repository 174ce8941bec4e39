import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scannedTokens, standardTokens } from './html-tokens.test-kit.ts'

// Whole constructs, and the pieces that broken pages are made of. No NUL and no carriage return:
// the standard replaces them before or while it reads, and to the reader they say nothing.
const NAMES = 'p P a b svg script style title textarea xmp iframe noframes noembed x-y'.split(' ')
const tag = fc
  .tuple(
    fc.constantFrom('<', '</', '< ', '</ '),
    fc.constantFrom(...NAMES),
    fc.constantFrom('', ' ', '\n', '/', ' hidden', ' HREF=x', ' href="a&amp;b>c"', " rel='\"'"),
    fc.constantFrom('', '>', '/>', ' / >', ' ='),
  )
  .map((parts) => parts.join(''))
const broken = fc.constantFrom(
  ...['<', '>', '/', '!', '?', '-', '--', '=', '"', "'", '&', ';', ' ', '\t', '<!', '</', '<?xml'],
  ...['<!-->', '<!--->', '<!--', '-->', '--!>', '--!', '<!doctype html>', '<!DOCTYPE', '</>', '<>'],
  ...['&amp;', '&amp', '&ampx', '&lt', '&#65', '&#x41;', '&#xD800;', '&nosuch;', '&notit;', '&#'],
  ...['href=', 'href =', ' alt="', " content='", 'hidden', ' name=a&lt=1', ' lang="&copy2"', 'é'],
  ...[
    'word',
    'two words',
    '</script',
    '</SCRIPT >',
    '<script',
    '</title>',
    '</textarea/',
    '\ud83d',
  ],
)
const foreign = fc.constantFrom(
  ...['<![CDATA[', ']]>', ']]', '<svg>', '</svg>', '<svg/>', '<![cdata[', '<plaintext>'],
)
const document = fc
  .array(fc.oneof(tag, broken, foreign), { maxLength: 14 })
  .map((parts) => parts.join(''))

test('any document holds what the standard says', () => {
  fc.assert(
    fc.property(document, (html) => {
      expect(scannedTokens(html)).toEqual(standardTokens(html))
    }),
    { numRuns: 10_000 },
  )
})

test.each([
  ['<!-->a<!--->b<!-- --!>c<!--d--', ['abc']],
  ['a<!doctype x>b<?xml y?>c</ d>e</>f<!g>h', ['abcefh']],
  ['a<b/ >c', ['a', '<b>', 'c']],
  ['<svg><g/><![CDATA[<a>]]></svg><![CDATA[<b>]]>', ['<svg>', '<g/>', '<a>', '</svg>', ']]>']],
  ['<p title=">">a</p title=">">b', ['<p>', 'a', '</p>', 'b']],
  [
    '<script><!--<script></script>--></script>a',
    ['<script>', '<!--<script></script>-->', '</script>', 'a'],
  ],
  ['<script>"<!--"</script>a', ['<script>', '"<!--"', '</script>', 'a']],
  ['<title>&lt;b></TITLE\n>', ['<title>', '<b>', '</title>']],
  ['<style>&lt;</styles></style', ['<style>', '&lt;</styles></style']],
  ['<a href=x/>', ['<a href="x/">']],
  ['<a href="x">a<a href="y', ['<a href="x">', 'a']],
  ['a</', ['a</']],
  ['a<\u0131>', ['a<\u0131>']],
])('%j holds %j', (html, tokens) => {
  expect(scannedTokens(html)).toEqual(tokens)
  expect(standardTokens(html)).toEqual(tokens)
})

// Each repeats what a scanner could be made to seek again and again; 300,000 times, a search for
// each to the end of the document would take hours.
test.each([
  ...['<', '</', '<!', '<!-', '<!--', '<a ', '<a b="', '&', '&#', '<script></', '<title>&', '<a ='],
  ...['<svg><![CDATA[', '<script><!--', '<script><!--<script', '<!--a--', '-->', '<p></', "<a b='"],
])('a document of %j again and again is read to its end', (part) => {
  const tokens = scannedTokens(part.repeat(300_000))
  expect(tokens.length).toBeLessThanOrEqual(900_000)
})
