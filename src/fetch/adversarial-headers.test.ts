import { describe, expect, test } from 'vitest'
import { testLinear } from '#parse/adversarial.test-kit.ts'
import { conditionalHeaders } from './client/conditional-get.ts'
import { maxAgeSeconds } from './client/robots-record.ts'
import type { HttpAnswer } from './http/http-get.ts'
import { mayBePage, readAnswer } from './http/read-answer.ts'
import { retryAfterSeconds } from './http/retry-after.ts'

const URL_ASKED = 'http://a.example/sitemap.xml'
/** All headers of an answer together may have so much. */
const HEADER_BYTES = 64 * 1024
const PARTS: Readonly<Record<string, string>> = {
  spaces: ' ',
  digits: '1',
  quotes: '"',
  commas: ',',
  semicolons: ';',
  slashes: '/',
  'percent signs': '%',
  'dot segments': '../',
  'ages without number': 'max-age = ',
  'weak tags': 'W/"',
}

describe('headers', () => {
  for (const [name, part] of Object.entries(PARTS)) {
    const value = (size: number) => part.repeat(size / part.length)
    const linear = (header: string, read: (text: string) => unknown) =>
      testLinear(`${header} of ${name}`, value, read, HEADER_BYTES)
    linear('Retry-After', (text) => retryAfterSeconds(429, { 'retry-after': text, date: text }, 0))
    linear('Cache-Control', maxAgeSeconds)
    linear('ETag', (etag) => conditionalHeaders({ etag, lastModified: etag }))
    linear('Location', (location) => readAnswer(ATTEMPT, answer(302, { location }), OPTIONS))
    linear('Content-Type', (type) => mayBePage(200, { 'content-type': type }, new URL(URL_ASKED)))
    linear('any header', (text) =>
      readAnswer(
        ATTEMPT,
        answer(200, {
          'content-type': `text/html; ${text}`,
          link: `<x>; ${text}`,
          'x-robots-tag': text,
          'content-usage': text,
          etag: text,
        }),
        OPTIONS,
      ),
    )
  }
})

test('a long body is read as a list only if its first element says so, else as a page that is cut', () => {
  const long = ' '.repeat(2_000)
  const form = (beginning: string) => {
    const body = Buffer.from(`${beginning}${long}`)
    const options = { ...OPTIONS, maxBodyBytes: 1_000 }
    const read = readAnswer(ATTEMPT, answer(200, { 'content-type': 'text/xml' }, body), options)
    return read.kind === 'page' ? read.page.form : read.kind
  }
  expect(form('<?xml version="1.0"?><urlset>')).toBe('sitemap')
  expect(form('\ufeff<!-- <html> --><rss>')).toBe('feed')
  expect(form('<!-- <urlset> --><html>')).toBe('page')
  expect(form('<rdf:RDF><html>')).toBe('page')
})

const ATTEMPT = { id: 1, url: URL_ASKED, at: 0, ms: 0 }
const OPTIONS = { agentToken: 'forager', maxBodyBytes: 1_000_000 }

function answer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body = Buffer.from('<p>text'),
): HttpAnswer {
  return { kind: 'answer', status, headers, body, bytes: body.length, truncated: false }
}
