import { expect, test } from 'vitest'
import { malformedIn, recordsIn, unusedIn } from '../log-reader.test-kit.ts'
import { accessLogReader } from './read-accesslog.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0'
const SEARCH = 'https://shop.example/search?q=Red+shoes'

/** A line of a log; `time` is minutes after noon. */
function line(
  path: string,
  { time = 0, ip = '192.0.2.1', referer = '-', agent = BROWSER, status = 200, method = 'GET' } = {},
): string {
  const clock = `${String(12 + Math.floor(time / 60))}:${String(time % 60).padStart(2, '0')}:00`
  return `${ip} - - [31/Jan/2026:${clock} +0100] "${method} ${path} HTTP/1.1" ${status} 512 "${referer}" "${agent}"`
}
const noon = Date.UTC(2026, 0, 31, 11) / 1000
const client = `192.0.2.1 ${BROWSER}`

test('a search, and the page chosen from its results', () => {
  const text = [
    line('/search?q=Red+shoes'),
    line('/style.css', { referer: SEARCH }),
    line('/red-shoes', { time: 1, referer: SEARCH }),
    line('/about', { time: 2, referer: 'https://shop.example/red-shoes' }),
  ].join('\n')
  expect(recordsIn(accessLogReader, text)).toEqual([
    { kind: 'asked', text: 'Red shoes', count: 1, at: noon, client },
    {
      kind: 'click',
      text: 'Red shoes',
      url: 'https://shop.example/red-shoes',
      count: 1,
      at: noon + 60,
    },
  ])
  expect(unusedIn(accessLogReader, text)).toEqual([
    'a part of a page',
    'a request that is no search',
  ])
})

test('the same search within half an hour is one, and one client clicks for itself only', () => {
  const text = [
    line('/search?q=red+shoes'),
    line('/search?q=red%20Shoes&page=2', { time: 20 }),
    line('/search?q=red+shoes', { time: 51 }),
    line('/a', { time: 52, ip: '192.0.2.7', referer: SEARCH }),
    line('/a', { time: 90, referer: SEARCH }),
  ].join('\n')
  expect(recordsIn(accessLogReader, text).map(({ kind }) => kind)).toEqual(['asked', 'asked'])
  expect(unusedIn(accessLogReader, text)).toEqual([
    'the same search again, as for more results',
    'a click whose search is not here',
    'a click whose search is not here',
  ])
})

test('robots, errors and other methods are left out', () => {
  const text = [
    line('/search?q=a', { agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }),
    line('/search?q=a', { agent: '-' }),
    line('/search?q=a', { status: 404 }),
    line('/search?q=a', { method: 'POST' }),
  ].join('\n')
  expect(recordsIn(accessLogReader, text)).toEqual([])
  expect(unusedIn(accessLogReader, text).sort()).toEqual([
    'a request that failed or was no GET',
    'a request that failed or was no GET',
    'a robot',
    'a robot',
  ])
})

test('the parameter may have another name, and a path of its own', () => {
  const text = [line('/find?term=boots'), line('/shop?term=5')].join('\n')
  expect(recordsIn(accessLogReader, text, { param: '/find?term' })).toMatchObject([
    { text: 'boots' },
  ])
  expect(recordsIn(accessLogReader, text, { param: 'term' })).toHaveLength(2)
})

test('virtual hosts before the line, escaped bytes and quotes are understood', () => {
  const text = `shop.example:443 ${line('/search?q=\\x22caf\\xC3\\xA9\\x22')}`
  expect(recordsIn(accessLogReader, text)).toMatchObject([{ text: '"café"' }])
})

test('malformed lines are told, and the rest is read', () => {
  const text = [
    'garbage',
    '192.0.2.1 - - [31/Jan/2026:12:00:00 +0100] "GET /search?q=a HTTP/1.1" 200 5',
    line('/search?q=a').replace('31/Jan/2026', 'long ago'),
    line('/search?q=a').replace('GET /search?q=a HTTP/1.1', '\\x16\\x03\\x01'),
    line('/search?q=good'),
  ].join('\n')
  expect(malformedIn(accessLogReader, text)).toEqual([
    '1: not in combined log format',
    '2: no Referer and User-Agent: log them too',
    '3: the time cannot be read',
    '4: the request cannot be read',
  ])
  expect(recordsIn(accessLogReader, text)).toMatchObject([{ text: 'good' }])
})
