import { expect, test } from 'vitest'
import { Frontier } from '../frontier.ts'

const DAY = 86_400
const RULES = 'User-agent: *\nDisallow: /private\nAllow: /private/open'

function known(...addresses: string[]) {
  const frontier = new Frontier()
  return { frontier, urls: addresses.map((address) => frontier.add(address, 'link', 1, 1)) }
}

test('rules forbid what they say, at their own origin', () => {
  const { frontier, urls } = known(
    ...['https://a.org/', 'https://a.org/private/x', 'https://a.org/private/open/x'],
    ...['http://a.org/private/x', 'https://b.org/private/x'],
  )
  const { robots } = frontier
  const forbidden = () => urls.map((url) => robots.forbids(url, DAY))
  expect(forbidden()).toEqual([false, false, false, false, false])
  robots.learn('https://a.org', RULES, DAY)
  expect(forbidden()).toEqual([false, true, false, false, false])
  expect(forbidden()).toEqual([false, true, false, false, false]) // what was judged before stays so
  const late = frontier.add('https://a.org/private/later', 'link', 1, 1)
  expect(robots.forbids(late, DAY)).toBe(true)
})

test('new rules take the place of old ones, and none that of any', () => {
  const { frontier, urls } = known('https://a.org/', 'https://a.org/private')
  const { robots } = frontier
  robots.learn('https://a.org', RULES, DAY)
  expect(robots.forbids(urls[1], DAY)).toBe(true)
  robots.learn('https://a.org', 'User-agent: *\nDisallow: /other', DAY)
  expect(robots.forbids(urls[1], DAY)).toBe(false)
  robots.learn('https://a.org', RULES, DAY)
  robots.learn('https://a.org', '', DAY)
  expect(robots.forbids(urls[1], DAY)).toBe(false)
})

test('after a week, or when a run begins, rules are to be asked for again', () => {
  const { frontier, urls } = known('https://a.org/private')
  const { robots } = frontier
  robots.learn('https://a.org', RULES, DAY)
  expect(robots.forbids(urls[0], 7 * DAY)).toBe(true)
  expect(robots.forbids(urls[0], 9 * DAY)).toBe(false)
  robots.clear()
  expect(robots.forbids(urls[0], DAY)).toBe(false)
})
