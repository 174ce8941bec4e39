import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAllowed, parseRobots, rulesFor } from './robots-txt.ts'

const fetches = (robots: string, path: string, agent = 'forager') =>
  isAllowed(parseRobots(robots), agent, `https://example.org${path}`).allowed

/** The same rule as a regular expression, which may go back and try again. */
function naiveMatch(pattern: string, path: string): boolean {
  const source = pattern.replace(/\$$/, '').replace(/[*$]/g, (c) => (c === '*' ? '.*' : '\\$'))
  return new RegExp(`^${source}${pattern.endsWith('$') ? '$' : ''}`).test(path)
}

test('stars are matched as a regular expression would', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', '/', '*', '$'), maxLength: 8 })
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '$'), maxLength: 10 })
  fc.assert(
    fc.property(short, path, (pattern, rest) => {
      const robots = `User-agent: *\nDisallow: /${pattern}`
      expect(fetches(robots, `/${rest}`)).toBe(!naiveMatch(`/${pattern}`, `/${rest}`))
    }),
    { numRuns: 3000 },
  )
})

test('of many rules the one decides that would be found by trying them all', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '$', '%61'), maxLength: 6 })
  const rule = fc.tuple(fc.constantFrom('Allow', 'Disallow'), pattern)
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 12 }), path, (rules, rest) => {
      const lines = rules.map(([key, value]) => `${key}: /${value}`)
      const fitting = rules
        .map(([key, value]) => [key, `/${value.replaceAll('%61', 'a')}`] as const)
        .filter(([, value]) => naiveMatch(value, `/${rest}`))
      const longest = Math.max(...fitting.map(([, value]) => value.length))
      const deciding = fitting.filter(([, value]) => value.length === longest)
      const allowed = deciding.length === 0 || deciding.some(([key]) => key === 'Allow')
      expect(fetches(['User-agent: *', ...lines].join('\n'), `/${rest}`)).toBe(allowed)
    }),
    { numRuns: 5000 },
  )
})

describe('a file that asks for too much', () => {
  const rules = (count: number, rule: (number: number) => string) =>
    `User-agent: *\n${Array.from({ length: count }, (_, number) => rule(number)).join('\n')}\n`

  test('has thousands of rules with stars that hold as they are', () => {
    const text = rules(4_000, (number) => `Disallow: /*x${number}y`)
    expect(fetches(text, '/a-x3999y')).toBe(false)
    expect(fetches(text, '/a-x4000y')).toBe(true)
  })

  test('has further ones that hold for all that begins as they do', () => {
    const text = rules(5_000, (number) => `Disallow: /${number}/*x`)
    expect(fetches(text, '/7/page')).toBe(true)
    expect(fetches(text, '/4999/page')).toBe(false)
  })

  test('has further ones that allow nothing', () => {
    const text = rules(5_000, (number) => `Allow: /${number}/*x`)
    expect(fetches(`${text}Disallow: /`, '/7/x')).toBe(true)
    expect(fetches(`${text}Disallow: /`, '/4999/x')).toBe(false)
  })

  test('forbids what cannot be told in a bounded number of steps', () => {
    const text = rules(100, (number) => `Disallow: /${'*a'.repeat(300 + number)}*b`)
    expect(fetches(text, `/b${'a'.repeat(1_900)}`)).toBe(false)
    expect(fetches(text, `/b${'a'.repeat(20)}`)).toBe(true)
  })

  test('has rules longer than any address: they are read up to that', () => {
    const long = 'x'.repeat(5_000)
    expect(fetches(`User-agent: *\nDisallow: /*a*${long}`, '/ba')).toBe(true)
    expect(fetches(`User-agent: *\nDisallow: /${'*'.repeat(5_000)}b`, '/a')).toBe(false)
    expect(fetches(`User-agent: *\nDisallow: /\nAllow: /${'*'.repeat(5_000)}a`, '/a')).toBe(false)
  })
})

test('a thousand stars are no more work than their letters', () => {
  const robots = `User-agent: *\nDisallow: /${'*a'.repeat(1000)}*b$`
  expect(fetches(robots, `/${'a'.repeat(1999)}`)).toBe(true)
  expect(fetches(robots, `/${'a'.repeat(1999)}b`)).toBe(false)
})

test('any text is a robots.txt', () => {
  const line = fc.constantFrom(
    'User-agent: *',
    'Disallow: /%',
    'Allow: *$',
    ':',
    '#',
    '\ud800',
    '\r',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(line).map((lines) => lines.join('\n')),
  )
  fc.assert(
    fc.property(text, fc.string({ unit: 'binary' }), fc.string(), (robots, url, agent) => {
      expect(typeof isAllowed(parseRobots(robots), agent, url).allowed).toBe('boolean')
    }),
  )
})

test('the rules for an agent, passed on, say the same to everybody', () => {
  const robots = parseRobots(`User-agent: forager\nDisallow: /a\nAllow: /a/b$\nCrawl-delay: 3
    User-agent: *\nDisallow: /\n\nUser-agent: forager\nDisallow: /*.pdf`)
  const rules = rulesFor(robots, 'Forager')!
  expect(rules).toBe('User-agent: *\nDisallow: /a\nAllow: /a/b$\nDisallow: /*.pdf')
  for (const path of ['/a', '/a/b', '/a/b/c', '/x.pdf', '/'])
    expect(isAllowed(parseRobots(rules), 'anybody', `https://a.org${path}`)).toEqual(
      isAllowed(robots, 'forager', `https://a.org${path}`),
    )
  expect(rulesFor(robots, 'other')).toBe('User-agent: *\nDisallow: /')
  expect(rulesFor(parseRobots('User-agent: *\nAllow: /\nDisallow:'), 'forager')).toBe('')
  expect(rulesFor(parseRobots(''), 'forager')).toBe('')
  const long = Array.from({ length: 5000 }, (_, i) => `Disallow: /${i}`).join('\n')
  expect(rulesFor(parseRobots(`User-agent: *\n${long}`), 'forager')).toBeUndefined()
})
