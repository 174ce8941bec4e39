import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalUrl, canonicalUrlByParsing, hostOf, urlResolver } from './canonical-url.ts'

test.each([
  ['HTTP://EXAMPLE.org', 'http://example.org/', 'case and the empty path'],
  ['http://example.org:80/a', 'http://example.org/a', "the scheme's own port"],
  ['https://example.org:443/a', 'https://example.org/a', "the scheme's own port"],
  ['https://example.org:8443/a', 'https://example.org:8443/a', 'another port'],
  ['http://example.org/a/./b/../c', 'http://example.org/a/c', 'dot segments'],
  ['http://example.org/a/%2e%2E/c', 'http://example.org/c', 'escaped dot segments'],
  ['http://example.org/a#part', 'http://example.org/a', 'a fragment'],
  ['http://example.org/a?', 'http://example.org/a', 'an empty query'],
  ['http://example.org/%7euser/%c3%a9', 'http://example.org/~user/%C3%A9', 'escapes'],
  ['http://example.org/é|x', 'http://example.org/%C3%A9%7Cx', 'characters outside the grammar'],
  ['http://example.org/100%', 'http://example.org/100%25', 'a stray percent sign'],
  ['http://example.org/%%34%31', 'http://example.org/%2541', 'an escape that would form another'],
  ['http://ann:secret@example.org/', 'http://example.org/', 'user and password'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/', 'an international host'],
  ['http://example.org./a', 'http://example.org/a', "the root's dot"],
  ['http://0x7f.1/', 'http://127.0.0.1/', 'an IP address in disguise'],
  ['http://[::1]:8080/a', 'http://[::1]:8080/a', 'an IPv6 address'],
  ['  http://example.org/a\n', 'http://example.org/a', 'white space around'],
  ['http://example.org\\a', 'http://example.org/a', 'a backslash'],
  ['http://example.org/a?utm_source=x&id=1&gclid=2', 'http://example.org/a?id=1', 'tracking'],
  ['http://example.org/a?UTM_Medium=x', 'http://example.org/a', 'tracking alone'],
  ['http://example.org/a?PHPSESSID=1&id=1', 'http://example.org/a?id=1', 'a PHP session'],
  ['http://example.org/a;jsessionid=1F?id=1', 'http://example.org/a?id=1', 'a Java session'],
  ['http://example.org/..;jsessionid=1/b', 'http://example.org/b', 'dots left by a session'],
  ['http://example.org/a;v=1/b', 'http://example.org/a;v=1/b', 'another path parameter'],
  ['http://example.org/a?sid=42', 'http://example.org/a?sid=42', 'an id that is no session'],
  ['http://example.org/a?sid=9f86d081884c7d65', 'http://example.org/a', 'a sid like a session'],
  ['http://example.org/a?b=2&a=1&b=1', 'http://example.org/a?a=1&b=2&b=1', 'order of parameters'],
  ['http://example.org/w?zoo&act=edit', 'http://example.org/w?zoo&act=edit', 'a positional query'],
  ['http://example.org/a?&x=1&&y=2&', 'http://example.org/a?x=1&y=2', 'empty parameters'],
])('%s becomes %s (%s)', (raw, expected) => {
  expect(canonicalUrl(raw)).toBe(expected)
})

test.each([
  ['/x/y', 'https://example.org/x/y'],
  ['y.html', 'https://example.org/dir/y.html'],
  ['../y', 'https://example.org/y'],
  ['?q=1', 'https://example.org/dir/page?q=1'],
  ['//other.example/y', 'https://other.example/y'],
  ['#top', 'https://example.org/dir/page'],
  ['', 'https://example.org/dir/page'],
])('the link %j of a page leads to %s', (raw, expected) => {
  expect(canonicalUrl(raw, 'https://example.org/dir/page')).toBe(expected)
  expect(urlResolver('https://example.org/dir/page')(raw)).toBe(expected)
})

test.each([
  'mailto:ann@example.org',
  'javascript:void(0)',
  'ftp://example.org/',
  'data:text/html,x',
  '/no/base',
  'http://',
  'http://a..b/',
  'http://./',
  'http://999.999.999.999/',
])('%s is no web address', (raw) => {
  expect(canonicalUrl(raw)).toBeUndefined()
})

test('a URL of more than 2,000 characters is none we want', () => {
  const longest = `http://example.org/${'x'.repeat(2000 - 19)}`
  expect(canonicalUrl(longest)).toBe(longest)
  expect(canonicalUrl(`${longest}x`)).toBeUndefined()
  expect(canonicalUrl(`${longest}#${'y'.repeat(5000)}`)).toBe(longest)
  expect(urlResolver('http://example.org/')('x'.repeat(2000))).toBeUndefined()
})

test('a bad base spoils only relative links', () => {
  const resolve = urlResolver(`http://example.org/${'x'.repeat(10_000)}`)
  expect(resolve('/a')).toBeUndefined()
  expect(resolve('http://other.example/a')).toBe('http://other.example/a')
  expect(canonicalUrl('http://other.example/a?b', 'no base')).toBe('http://other.example/a?b')
})

test('a trailing slash, index.html, www and the scheme are differences', () => {
  const kin = ['http://example.org/a', 'http://example.org/a/', 'https://example.org/a']
  const more = ['http://www.example.org/a', 'http://example.org/a/index.html']
  expect(new Set([...kin, ...more].map((url) => canonicalUrl(url))).size).toBe(5)
})

const part = fc.constantFrom(
  ...['http', 'https', 'HTTP', ':', '//', '/', '.', '..', '?', '&', '=', '#', '%', '%41', '%2e'],
  ...['%c3', '%C3%A9', ';', ';jsessionid=1', ';sid=', 'utm_x=1', 'sid=abcdef0123456789', 'a', 'Z'],
  ...['é', '中', '@', '\\', ' ', '\t', '[', ']', '|', '^', '"', "'", '*', '$', 'xn--', '0x7f', '1'],
  ...['example.org', 'www.example.co.uk', ':80', ':8080', '/index.html', 'page-2', '\ud800', '\0'],
)
const mosaic = fc.array(part, { maxLength: 14 }).map((parts) => parts.join(''))
const almostUrl = fc.oneof(
  mosaic,
  mosaic.map((rest) => `http://example.org/${rest}`),
  mosaic.map((rest) => `https://${rest}`),
  mosaic.map((rest) => `/${rest}`),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.string({ unit: 'binary' }),
)

test('a canonical URL is its own canonical form', () => {
  fc.assert(
    fc.property(almostUrl, fc.option(almostUrl, { nil: undefined }), (raw, base) => {
      const once = canonicalUrl(raw, base)
      if (once !== undefined) {
        expect(canonicalUrl(once)).toBe(once)
        expect(canonicalUrlByParsing(once)).toBe(once)
        expect(once).toMatch(/^https?:\/\/[^/?#\s]+\/[!-~]*$/)
        expect(new URL(once).host).toBe(hostOf(once))
      }
    }),
    { numRuns: 5000 },
  )
})

test('the short cuts lead where the long way does', () => {
  fc.assert(
    fc.property(almostUrl, almostUrl, (raw, base) => {
      expect(canonicalUrl(raw)).toBe(canonicalUrlByParsing(raw))
      expect(urlResolver(base)(raw)).toBe(canonicalUrlByParsing(raw, base))
    }),
    { numRuns: 5000 },
  )
})

test('a host keeps its port unless the scheme implies it', () => {
  expect(hostOf('https://example.org:8443/a//b')).toBe('example.org:8443')
  expect(hostOf('https://example.org/')).toBe('example.org')
})

test('what is overlong as written is not looked at, but for its fragment', () => {
  expect(canonicalUrl(`https://a.org/x#${'y'.repeat(100_000)}`)).toBe('https://a.org/x')
  expect(canonicalUrl(`https://a.org/${'%41'.repeat(1_900)}`)).toBe(
    `https://a.org/${'A'.repeat(1_900)}`,
  )
  expect(canonicalUrl(`https://a.org/?utm_source=${'y'.repeat(5_000)}&a=1`)).toBe(
    'https://a.org/?a=1',
  )
  expect(canonicalUrl(`https://a.org/?utm_source=${'y'.repeat(7_000)}&a=1`)).toBeUndefined()
})

test('a query of very many parameters stays as it is', () => {
  const query = Array.from({ length: 100 }, (_, number) => `p${99 - number}=1`).join('&')
  expect(canonicalUrl(`https://a.org/?${query}`)).toBe(`https://a.org/?${query}`)
})

test('of one document only so many characters are parsed as addresses', () => {
  const resolve = urlResolver('https://a.org/')
  const long = `/${'%20'.repeat(600)}`
  for (let times = 0; times < 10_000; times++) resolve(long)
  expect(resolve('/a b')).toBeUndefined()
  expect(resolve('/clean')).toBe('https://a.org/clean')
})
