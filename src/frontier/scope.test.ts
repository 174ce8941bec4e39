import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { parseScope, scopeTest } from './scope.ts'

const seeds = ['https://docs.example.co.uk/start']

test.each([
  ['host', 'https://docs.example.co.uk/other', true],
  ['host', 'https://www.example.co.uk/', false],
  ['host', 'https://www.docs.example.co.uk/', true],
  ['domain', 'https://www.example.co.uk/', true],
  ['domain', 'https://another.co.uk/', false],
  ['anywhere', 'https://another.co.uk/', true],
] as const)('scope %s: %s is inside: %s', (scope, url, expected) => {
  expect(scopeTest({ scope }, seeds)(url, 1) === undefined).toBe(expected)
})

test('an unknown scope is refused with the known ones', () => {
  expect(() => parseScope('site')).toThrow(SettingError)
  expect(() => parseScope('site')).toThrow(/host, domain, anywhere/)
})

test('a site may have patterns of its own: its includes in place of those for all, its excludes beside them', () => {
  const judge = scopeTest(
    {
      scope: 'anywhere',
      include: ['docs.example/*', '*.blog.example/*', 'own.example/deep/*'],
      exclude: ['*/print/*'],
      sites: [
        { match: 'own.example', include: ['/manual/*', 'own.example/faq'], exclude: ['*.pdf'] },
        { match: 'own.example/deep', exclude: ['/deep/secret*'] },
        { match: '*.blog.example', exclude: ['/tag/*'] },
      ],
    },
    seeds,
  )
  expect(judge('https://own.example/manual/1', 1)).toBeUndefined()
  expect(judge('http://own.example/faq', 1)).toBeUndefined()
  expect(judge('https://own.example/', 1)).toBe('not included for own.example')
  expect(judge('https://own.example/manual/x.pdf', 1)).toBe('excluded for own.example')
  expect(judge('https://own.example/manual/print/1', 1)).toBe('excluded')
  expect(judge('https://own.example/deep/x', 1)).toBeUndefined()
  expect(judge('https://own.example/deep/secrets?x', 1)).toBe('excluded for own.example/deep')
  expect(judge('https://a.blog.example/tag/x', 1)).toBe('excluded for *.blog.example')
  expect(judge('https://a.blog.example/x?/tag/x', 1)).toBeUndefined()
  expect(judge('https://docs.example/x', 1)).toBeUndefined()
  expect(judge('https://else.example/x', 1)).toBe('not included')
  expect(judge('https://own.example:8080/manual/1', 1)).toBe('not included')
})

test('links that are left alone are counted by the reason, with the first two of them', () => {
  const judge = scopeTest({ scope: 'host' }, seeds)
  for (const n of [1, 1, 2, 3]) judge(`https://else.example/${n}`, 1)
  expect(Object.fromEntries(judge.refused!)).toEqual({
    "outside the seeds' host": {
      count: 4,
      examples: ['https://else.example/1', 'https://else.example/2'],
    },
  })
})

test('include, exclude, depth and signs of a trap narrow it down; seeds are always welcome', () => {
  const rules = {
    scope: 'anywhere',
    include: ['example.co.uk/*', '*.org/*'],
    exclude: ['*/private/*'],
    maxDepth: 3,
  } as const
  const judge = scopeTest(rules, seeds)
  expect(judge('https://example.co.uk/x', 3)).toBeUndefined()
  expect(judge('https://example.co.uk/x', 4)).toMatch(/deeper than 3/)
  expect(judge('https://elsewhere.net/x', 1)).toBe('not included')
  expect(judge('https://a.org/private/x', 1)).toBe('excluded')
  expect(judge('https://a.org/a/a/a/a/a/a', 1)).toBeDefined()
  expect(judge(seeds[0], 9)).toBeUndefined()
})
