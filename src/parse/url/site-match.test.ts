import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bySpecificity,
  matchesHost,
  matchesUrl,
  parseSiteMatch,
  type SiteMatch,
} from './site-match.ts'

function read(text: string): SiteMatch {
  const match = parseSiteMatch(text)
  if ('fault' in match) throw new Error(`${text}: ${match.fault}`)
  return match
}

describe('a match means', () => {
  test.each([
    ['intranet.example', 'https://intranet.example/a', true],
    ['intranet.example', 'http://intranet.example/a', true],
    ['intranet.example', 'https://intranet.example:8443/a', false],
    ['intranet.example', 'https://www.intranet.example/', false],
    ['intranet.example', 'https://intranet.example.evil.example/', false],
    ['intranet.example', 'https://notintranet.example/', false],
    ['INTRANET.example', 'https://intranet.example/', true],
    ['https://intranet.example', 'http://intranet.example/', false],
    ['https://intranet.example', 'https://intranet.example/', true],
    ['https://intranet.example:443', 'https://intranet.example/', true],
    ['intranet.example:443', 'https://intranet.example/', true],
    ['intranet.example:443', 'http://intranet.example/', false],
    ['intranet.example:8443', 'https://intranet.example:8443/', true],
    ['intranet.example:8443', 'https://intranet.example/', false],
    ['*.intranet.example', 'https://wiki.intranet.example/', true],
    ['*.intranet.example', 'https://a.b.intranet.example/', true],
    ['*.intranet.example', 'https://intranet.example/', false],
    ['*.intranet.example', 'https://evilintranet.example/', false],
    ['*.intranet.example', 'https://wiki.intranet.example:8443/', false],
    ['intranet.example/private', 'https://intranet.example/private', true],
    ['intranet.example/private', 'https://intranet.example/private?x=1', true],
    ['intranet.example/private/', 'https://intranet.example/private/x', true],
    ['intranet.example/private', 'https://intranet.example/privateer', false],
    ['intranet.example/private', 'https://intranet.example/', false],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/', true],
    ['[::1]:8080', 'http://[::1]:8080/', true],
    ['bücher.example', 'https://xn--bcher-kva.example/', true],
  ])('%s: %s is meant: %s', (text, url, expected) => {
    expect(matchesUrl(read(text), new URL(url))).toBe(expected)
  })

  test.each([
    ['intranet.example', 'intranet.example', true],
    ['intranet.example:443', 'intranet.example', true],
    ['intranet.example', 'intranet.example:8080', false],
    ['intranet.example:8080', 'intranet.example:8080', true],
    ['*.intranet.example', 'a.intranet.example', true],
    ['intranet.example/private', 'intranet.example', false],
    ['[::1]:8080', '[::1]:8080', true],
  ])('%s: the host %s as a whole is meant: %s', (text, host, expected) => {
    expect(matchesHost(read(text), host)).toBe(expected)
  })
})

test.each([
  ['', /no host name/],
  ['*', /star in front/],
  ['*.com', /everybody below com/],
  ['*.co.uk', /everybody below co\.uk/],
  ['*.github.io', /everybody below github\.io/],
  ['*.0.0.1', /everybody/],
  ['ftp://a.example', /no host name|star/],
  ['user:word@a.example', /user name/],
  ['a.example/x?y', /star in front/],
  ['a.*.example', /star in front/],
  ['a b', /no host name/],
])('%j is no match', (text, fault) => {
  expect(parseSiteMatch(text)).toEqual({ fault: expect.stringMatching(fault) })
})

test('names of an intranet have no registry, so all below them may be meant', () => {
  expect(read('*.corp')).toMatchObject({ hostname: 'corp', isBelow: true })
})

test('who says more comes first', () => {
  const texts = [
    'a.example',
    'a.example/x/y',
    '*.example',
    'a.example/x',
    'a.example:443',
    '*.b.example',
  ]
  expect(
    texts
      .map(read)
      .toSorted(bySpecificity)
      .map(({ text }) => text),
  ).toEqual([
    ...['a.example/x/y', 'a.example/x', 'a.example:443', 'a.example', '*.b.example', '*.example'],
  ])
})

test('whatever a match means, its host does: no spelling of a URL leads elsewhere', () => {
  const hosts = fc.constantFrom(
    'a.example',
    'b.a.example',
    'xa.example',
    'a.example.org',
    'a.example:81',
  )
  const paths = fc.constantFrom(
    '/',
    '/x',
    '/x/y',
    '/xy',
    '/x/../y',
    '/%78',
    '//a.example/x',
    '/@a.example/x',
  )
  const schemes = fc.constantFrom('http', 'https')
  const users = fc.constantFrom('', 'a.example@', 'a.example:80@')
  fc.assert(
    fc.property(schemes, users, hosts, paths, (scheme, user, host, path) => {
      const url = new URL(`${scheme}://${user}${host}${path}`)
      expect(matchesUrl(read('a.example/x'), url)).toBe(
        url.host === 'a.example' && /^\/x(\/|$)/.test(url.pathname),
      )
    }),
  )
})
