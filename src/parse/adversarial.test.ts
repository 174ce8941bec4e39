import { describe, expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { costMs } from '#numeric/stays-linear.test-kit.ts'
import { testLinear } from './adversarial.test-kit.ts'
import {
  ADVERSARIAL_JSON_FEEDS,
  ADVERSARIAL_LISTS,
  ADVERSARIAL_PAGES,
  ADVERSARIAL_TEXTS,
  PAGE_BYTES,
} from './adversarial-documents.test-kit.ts'
import {
  ADVERSARIAL_PATHS,
  ADVERSARIAL_ROBOTS,
  ROBOTS_TXT_BYTES,
} from './adversarial-robots.test-kit.ts'
import type { AdversarialDocument } from './adversarial-shapes.test-kit.ts'
import { forbidsSearch, readDirectives } from './page/directives.ts'
import { parseLinkHeader } from './page/link-header.ts'
import { looksLikeSoftError } from './page/soft-404.ts'
import { parsePage } from './parse-page.ts'
import { contentUsage, crawlDelaySeconds, isAllowed, parseRobots } from './robots/robots-txt.ts'
import { decodeBody } from './text/charset.ts'
import { wordMarks } from './text/simhash.ts'
import { textFingerprint } from './text/text-fingerprint.ts'
import { tokenize, urlTokens } from './text/tokens.ts'
import { parseWebDate } from './text/web-date.ts'
import { canonicalUrl } from './url/canonical-url.ts'
import { trapSign } from './url/trap-signs.ts'
import { urlClass } from './url/url-class.ts'
import { urlPattern } from './url/url-pattern.ts'

const PAGE = 'http://a.example/dir/sitemap.txt'
/** Less than is let in, for the sake of time; `npm run bench -- hostile` serves documents of the greatest size. */
const DOCUMENT_BYTES = (isThorough ? 512 : 192) * 1024
/** All headers of an answer together may have so much. */
const HEADER_BYTES = 64 * 1024
const TEXT_CHARS = 200_000

const DOCUMENTS: readonly AdversarialDocument[] = [
  ...ADVERSARIAL_PAGES,
  ...ADVERSARIAL_LISTS,
  ...ADVERSARIAL_JSON_FEEDS,
  ...ADVERSARIAL_TEXTS,
]

describe('pages, sitemaps and feeds', () => {
  for (const { name, contentType, body } of DOCUMENTS)
    testLinear(name, body, (bytes) => parsePage(bytes, contentType, PAGE), DOCUMENT_BYTES)

  // Once each was sought to the end of the document: 10 MiB took four minutes.
  const { body } = ADVERSARIAL_PAGES.find(({ name }) => name === 'HTML: declarations')!
  testLinear('declarations', body, (bytes) => parsePage(bytes, 'text/html', PAGE), PAGE_BYTES)
})

describe('robots.txt', () => {
  for (const { name, body } of ADVERSARIAL_ROBOTS)
    testLinear(
      name,
      (size) => body(size).toString(),
      (text) => {
        const robots = parseRobots(text)
        for (const path of ADVERSARIAL_PATHS) {
          isAllowed(robots, 'forager', `http://a.example${path}`)
          contentUsage(robots, 'forager', `http://a.example${path}`)
        }
        crawlDelaySeconds(robots, 'forager')
      },
      ROBOTS_TXT_BYTES,
    )

  test('a question costs about the same for 32 times as many rules', async () => {
    const urls = ADVERSARIAL_PATHS.map((path) => `http://a.example${path}`)
    const msOfQuestions = async (text: string) => {
      const robots = parseRobots(text)
      const ask = () => urls.map((url) => isAllowed(robots, 'forager', url))
      const cost = () => costMs(() => Array.from({ length: 20 }, ask), undefined)
      return Math.min(await cost(), await cost())
    }
    for (const { name, body } of ADVERSARIAL_ROBOTS) {
      const isSlow = async () => {
        const few = await msOfQuestions(body(ROBOTS_TXT_BYTES / 32).toString())
        return (await msOfQuestions(body(ROBOTS_TXT_BYTES).toString())) > 10 * few
      }
      expect((await isSlow()) && (await isSlow()) && (await isSlow()), name).toBe(false)
    }
  })
})

const HEADERS: Readonly<Record<string, string>> = {
  spaces: ' ',
  commas: ',',
  semicolons: ';',
  'targets without parameters': '<>,',
  'targets of percent signs': `</${'%'.repeat(1_900)}>;rel=next,`,
  'targets not closed': '<',
  'parameters without values': ';a',
  'parameters of quotes': ';a="',
  'parameters of backslashes': '\\"',
  'spaces around equals signs': ' = ',
  relations: '</x>;rel="next prev",',
  'words of an agent': 'forager: noindex, ',
  'words that nearly have a date': 'unavailable_after ',
  'dates to be unavailable after': 'unavailable_after: mon, 1 jan 2020,',
  'preferences to search': 'search = n ',
  charsets: 'charset = ',
  digits: '1',
  colons: ':',
}

describe('headers', () => {
  for (const [name, part] of Object.entries(HEADERS)) {
    const header = (start: string) => (size: number) =>
      start + part.repeat((size - start.length) / part.length)
    testLinear(
      `Link of ${name}`,
      header('</x>'),
      (text) => parseLinkHeader(text, PAGE),
      HEADER_BYTES,
    )
    testLinear(
      `X-Robots-Tag of ${name}`,
      header(''),
      (text) => readDirectives(text, 'forager'),
      HEADER_BYTES,
    )
    testLinear(`Content-Usage of ${name}`, header(''), forbidsSearch, HEADER_BYTES)
    testLinear(
      `Content-Type of ${name}`,
      header(''),
      (text) => decodeBody(new Uint8Array(9), text),
      HEADER_BYTES,
    )
    testLinear(`a date of ${name}`, header(''), parseWebDate, HEADER_BYTES)
  }
})

const ADDRESSES: Readonly<Record<string, string>> = {
  'percent signs': '%',
  escapes: '%41',
  'escapes that stay': '%20',
  letters: 'é',
  slashes: '/',
  'dot segments': 'x/../',
  digits: '1',
  'hex and letters': 'a1',
  'ids of many kinds': 'aB1_-',
  headlines: 'word-',
  parameters: 'b=1&a=2&',
  'session parameters': ';sid=1',
  'semicolons and points': ';.',
  'numbered folders': '1/',
}

describe('addresses', () => {
  for (const [name, part] of Object.entries(ADDRESSES))
    for (const start of ['http://a.example/', 'http://a.example/?', '', 'http://']) {
      const address = (size: number) => start + part.repeat(size / part.length)
      testLinear(
        `an address of ${name} after '${start}'`,
        address,
        (url) => canonicalUrl(url, PAGE),
        DOCUMENT_BYTES / 4,
      )
      if (start === '' || start === 'http://') continue
      testLinear(`the signs of an address of ${name} after '${start}'`, address, signsOf, 16_000)
    }
})

const TEXTS: Readonly<Record<string, string>> = {
  letters: 'a',
  words: 'a ',
  'capital letters': 'A',
  accents: 'e\u0301',
  'accents alone': '\u0301',
  'Han characters': '漢',
  'Thai letters': 'ก',
  'Thai vowels': '\u0e4d\u0e32',
  'wide spaces': '\u3000',
  'beginnings of an error': 'page was not ',
  'numbers of errors': '404 ',
}

describe('texts', () => {
  for (const [name, part] of Object.entries(TEXTS)) {
    const text = (size: number) => part.repeat(size / part.length)
    testLinear(`words of ${name}`, text, tokenize, TEXT_CHARS)
    testLinear(`marks of ${name}`, text, (body) => wordMarks(body, body), TEXT_CHARS)
    testLinear(`a fingerprint of ${name}`, text, textFingerprint, TEXT_CHARS)
    testLinear(
      `an error of ${name}`,
      text,
      (body) =>
        looksLikeSoftError({ form: 'page', title: body.slice(0, 500), text: body.slice(0, 4_000) }),
      TEXT_CHARS,
    )
  }
})

function signsOf(url: string): void {
  urlPattern(url)
  urlClass(url)
  trapSign(url)
  urlTokens(url)
}
