import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { addressOfCname, isPagePath, rivalsOf, servedUrl, urlOfPath } from './site-paths.ts'

const BASE = 'https://example.org/'
const bytes = (name: string) => Buffer.from(name).toString('latin1')

test('pages are told by their names', () => {
  const pages = ['a.html', 'a/b.HTM', 'index', 'a/index', 'index.htm', '.html']
  const others = ['a.xml', 'a', 'html', 'myindex', 'a.html.gz', 'index/a', 'index.php']
  expect(pages.filter(isPagePath)).toEqual(pages)
  expect(others.filter(isPagePath)).toEqual([])
})

describe('the address of a file', () => {
  test.each([
    ['index.html', ''],
    ['a/index.html', 'a/'],
    ['a/index.htm', 'a/'],
    ['a/index', 'a/'],
    ['a/INDEX.html', 'a/INDEX.html'],
    ['a/my-index.html', 'a/my-index.html'],
    ['a.html', 'a.html'],
    ['a b.html', 'a%20b.html'],
    [bytes('ü.html'), '%C3%BC.html'],
    ['\xfc.html', '%FC.html'],
    ['50%.html', '50%25.html'],
    ['a?b#c\\d.html', 'a%3Fb%23c%5Cd.html'],
    ['line\nbreak.html', 'line%0Abreak.html'],
  ])('%j is %j', (path, url) => {
    expect(urlOfPath(BASE, path)).toBe(BASE + url)
  })

  test('is canonical and below the root, and that of one file only', () => {
    const name = fc
      .uint8Array({ minLength: 1, maxLength: 12 })
      .map((codes) =>
        Buffer.from(codes.filter((code) => code > 0 && code !== 47)).toString('latin1'),
      )
      .filter((text) => !/^\.*$/.test(text) && !text.includes(';'))
    const path = fc
      .array(name, { minLength: 1, maxLength: 4 })
      .map((names) => `${names.join('/')}.html`)
    fc.assert(
      fc.property(path, path, (one, other) => {
        const url = urlOfPath(BASE, one)!
        expect(url.startsWith(BASE)).toBe(true)
        expect(canonicalUrl(url)).toBe(url)
        if (one !== other) expect(urlOfPath(BASE, other)).not.toBe(url)
      }),
    )
  })

  test('is shared by the files that may stand for a folder', () => {
    expect(rivalsOf('a/index')).toEqual(['a/index.html', 'a/index.htm', 'a/index'])
    expect(rivalsOf('a/b.html')).toEqual(['a/b.html'])
  })

  test('too long for a URL is none', () => {
    expect(urlOfPath(BASE, `${'x'.repeat(3000)}.html`)).toBeUndefined()
  })
})

describe('the page a server sends', () => {
  const pages = new Set(['', 'a/', 'b.html', 'c.html', 'c/', 'd'].map((path) => BASE + path))
  const served = (url: string) => servedUrl(BASE, url, (address) => pages.has(address))
  test.each([
    ['index.html', ''],
    ['a', 'a/'],
    ['a/index.html', 'a/'],
    ['a/index.htm?x=1', 'a/'],
    ['b', 'b.html'],
    ['b.html?x=1', 'b.html'],
    ['c', 'c/'],
    ['d', 'd'],
    ['none/index.html', 'none/index.html'],
    ['b/', 'b/'],
  ])('for %j is %j', (asked, sent) => {
    expect(served(BASE + asked)).toBe(BASE + sent)
  })

  test('is the same by http, and no other site’s', () => {
    expect(served('http://example.org/b.html')).toBe(`${BASE}b.html`)
    expect(served('http://example.org/none')).toBe('http://example.org/none')
    expect(served('https://other.example/index.html')).toBe('https://other.example/index.html')
    const below = servedUrl(`${BASE}docs/`, `${BASE}index.html`, (address) => pages.has(address))
    expect(below).toBe(`${BASE}index.html`)
  })
})

test('a CNAME file names a host, or nothing', () => {
  expect(addressOfCname('Example.org\n')).toBe(BASE)
  expect(addressOfCname(' www.example.org other.example\r\n')).toBe('https://www.example.org/')
  for (const text of ['', 'localhost', 'https://example.org/', 'a..b', '<html>', 'a.b/c'])
    expect(addressOfCname(text), text).toBeUndefined()
})
