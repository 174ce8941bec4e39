import { describe, expect, test } from 'vitest'
import {
  contentUsage,
  crawlDelaySeconds,
  groupNameFor,
  isAllowed,
  parseRobots,
} from './robots-txt.ts'

const fetches = (robots: string, path: string, agent = 'forager') =>
  isAllowed(parseRobots(robots), agent, `https://example.org${path}`).allowed

describe('which group holds', () => {
  test.each<[name: string, robots: string, agent: string, allowed: boolean]>([
    ['no text, no rule', '', 'forager', true],
    ['rules without a group hold for nobody', 'Disallow: /', 'forager', true],
    ['the star holds for everybody', 'User-agent: *\nDisallow: /', 'forager', false],
    ['another agent is not meant', 'User-agent: other\nDisallow: /', 'forager', true],
    [
      'an own group replaces the star',
      'User-agent: *\nDisallow: /\nUser-agent: forager\nDisallow: /x',
      'forager',
      true,
    ],
    [
      'whatever their order',
      'User-agent: forager\nDisallow: /x\nUser-agent: *\nDisallow: /',
      'forager',
      true,
    ],
    [
      'an own group without rules allows all',
      'User-agent: *\nDisallow: /\n\nUser-agent: forager\nDisallow:',
      'forager',
      true,
    ],
    ['names have no case', 'User-Agent: FoRaGeR\nDisallow: /', 'forager', false],
    ["nor has the agent's own", 'User-agent: forager\nDisallow: /', 'FORAGER', false],
    ['a version is no part of the name', 'User-agent: Forager/2.0\nDisallow: /', 'forager', false],
    [
      "nor of the agent's own",
      'User-agent: forager\nDisallow: /',
      'Forager/1.0 (+https://f.example)',
      false,
    ],
    ['part of a name is not the name', 'User-agent: fora\nDisallow: /', 'forager', true],
    ['nor is a longer one', 'User-agent: forager-news\nDisallow: /', 'forager', true],
    [
      'a group may name several agents',
      'User-agent: a\nUser-agent: forager\nDisallow: /',
      'forager',
      false,
    ],
    [
      'the first of several is meant as well',
      'User-agent: forager\nUser-agent: b\nDisallow: /',
      'forager',
      false,
    ],
    [
      'groups of one name are merged',
      'User-agent: forager\nDisallow: /x\nUser-agent: b\nAllow: /\nUser-agent: forager\nDisallow: /',
      'forager',
      false,
    ],
    [
      'stars are merged',
      'User-agent: *\nDisallow: /x\nUser-agent: *\nDisallow: /',
      'forager',
      false,
    ],
    [
      'a rule ends the run of names',
      'User-agent: forager\nAllow: /\nUser-agent: b\nDisallow: /',
      'forager',
      true,
    ],
    [
      'an empty rule ends it too',
      'User-agent: forager\nDisallow:\nUser-agent: b\nDisallow: /',
      'forager',
      true,
    ],
    [
      'a sitemap does not',
      'User-agent: forager\nSitemap: https://s.example/\nUser-agent: b\nDisallow: /',
      'forager',
      false,
    ],
    [
      'a crawl delay does not',
      'User-agent: forager\nCrawl-delay: 1\nUser-agent: b\nDisallow: /',
      'forager',
      false,
    ],
    [
      'an unknown line does not',
      'User-agent: forager\nNoindex: /\nUser-agent: b\nDisallow: /',
      'forager',
      false,
    ],
    ['an empty line does not', 'User-agent: forager\n\nDisallow: /', 'forager', false],
    ['a star may carry a remark', 'User-agent: * all of you\nDisallow: /', 'forager', false],
    ['a star within a name is none', 'User-agent: *bot\nDisallow: /', 'forager', true],
    [
      'an agent named twice gets its rules once',
      'User-agent: forager\nUser-agent: forager\nDisallow: /',
      'forager',
      false,
    ],
  ])('%s', (_, robots, agent, allowed) => {
    expect(fetches(robots, '/page', agent)).toBe(allowed)
  })
})

describe('which rule decides', () => {
  test.each<[rules: string, path: string, allowed: boolean]>([
    ['Disallow: /', '/', false],
    ['Disallow: /', '/page', false],
    ['Disallow:', '/page', true],
    ['Allow:', '/page', true],
    ['Disallow: /fish', '/fish', false],
    ['Disallow: /fish', '/fish.html', false],
    ['Disallow: /fish', '/fishheads/yummy.html', false],
    ['Disallow: /fish', '/Fish.asp', true],
    ['Disallow: /fish', '/catfish', true],
    ['Disallow: /fish', '/?id=fish', true],
    ['Disallow: /fish/', '/fish', true],
    ['Disallow: /fish/', '/fish/', false],
    ['Disallow: /fish/', '/fish/salmon.htm', false],
    ['Disallow: /fish*', '/fish.html', false],
    ['Disallow: /*.php', '/index.php', false],
    ['Disallow: /*.php', '/folder/any.php.file.html', false],
    ['Disallow: /*.php', '/filename.php?parameters', false],
    ['Disallow: /*.php', '/windows.PHP', true],
    ['Disallow: /*.php$', '/filename.php', false],
    ['Disallow: /*.php$', '/filename.php/', true],
    ['Disallow: /*.php$', '/filename.php?parameters', true],
    ['Disallow: /*.php$', '/a.php/b.php', false],
    ['Disallow: /fish*.php', '/fishheads/catfish.php?parameters', false],
    ['Disallow: /fish*.php', '/Fish.PHP', true],
    ['Disallow: *.gif', '/a/b.gif', false],
    ['Disallow: *', '/page', false],
    ['Disallow: /a**b', '/axxb', false],
    ['Disallow: /a*a$', '/a', true],
    ['Disallow: /$', '/', false],
    ['Disallow: /$', '/page', true],
    ['Disallow: /*$', '/page', false],
    ['Disallow: /a$b', '/a$b', false],
    ['Disallow: /a$b', '/a', true],
    ['Disallow: fish', '/fish', true],
    ['Disallow: /*?', '/page?x=1', false],
    ['Disallow: /*?', '/page', true],
    ['Disallow: /*&sort=', '/list?a=1&sort=up', false],
    ['Allow: /p\nDisallow: /', '/page', true],
    ['Disallow: /\nAllow: /p', '/page', true],
    ['Allow: /folder\nDisallow: /folder', '/folder/page', true],
    ['Disallow: /folder\nAllow: /folder', '/folder/page', true],
    ['Allow: /page\nDisallow: /*.htm', '/page.htm', false],
    ['Allow: /page\nDisallow: /*.ph', '/page.php5', true],
    ['Allow: /$\nDisallow: /', '/', true],
    ['Allow: /$\nDisallow: /', '/page.htm', false],
    ['Disallow: /x\nDisallow: /x/y\nAllow: /x/y/z', '/x/y/z', true],
    ['Disallow: /', '/robots.txt', true],
    ['Disallow: /', '/robots.txt.html', false],
    ['Disallow: /', '/a/robots.txt', false],
    // Escapes: RFC 9309 §2.2.2 and its table.
    ['Disallow: /foo/bar?baz=quz', '/foo/bar?baz=quz', false],
    ['Disallow: /foo/bar?baz=http://foo.bar', '/foo/bar?baz=http%3A%2F%2Ffoo.bar', true],
    ['Disallow: /foo/bar/ツ', '/foo/bar/%E3%83%84', false],
    ['Disallow: /foo/bar/%E3%83%84', '/foo/bar/ツ', false],
    ['Disallow: /foo/bar/%e3%83%84', '/foo/bar/%E3%83%84', false],
    ['Disallow: /foo/bar/%62%61%7A', '/foo/bar/baz', false],
    ['Disallow: /foo/bar/baz', '/foo/bar/%62%61%7A', false],
    ['Disallow: /~ann', '/%7Eann/', false],
    ['Disallow: /a%2Fb', '/a/b', true],
    ['Disallow: /a%2fb', '/a%2Fb', false],
    ['Disallow: /file-with-a-%2A.html', '/file-with-a-*.html', false],
    ['Disallow: /file-with-a-%2A.html', '/file-with-a-x.html', true],
    ['Disallow: /foo-%24', '/foo-$', false],
    ['Disallow: /foo-%24', '/foo-', true],
    ['Disallow: /a b', '/a%20b', false],
    ['Disallow: /100%', '/100%', false],
  ])('%j lets %s be fetched: %s', (rules, path, allowed) => {
    expect(fetches(`User-agent: *\n${rules}`, path)).toBe(allowed)
  })
})

describe('how the file is written', () => {
  test.each<[name: string, robots: string, path: string, allowed: boolean]>([
    ['lines may end in CR LF', 'User-agent: *\r\nDisallow: /x\r\nDisallow: /y', '/y', false],
    ['lines may end in CR', 'User-agent: *\rDisallow: /x\rDisallow: /y', '/y', false],
    ['a byte order mark is no text', '\ufeffUser-agent: *\nDisallow: /', '/x', false],
    ['comments are no rules', 'User-agent: *\n# Disallow: /', '/x', true],
    ['a comment may follow a rule', 'User-agent: * # all\nDisallow: /x # private', '/x', false],
    ['a comment may swallow the value', 'User-agent: *\nDisallow: # nothing', '/x', true],
    ['space around is no matter', '  User-agent :\t*  \n\tDISALLOW\t:/x  ', '/x', false],
    ['keys have no case', 'USER-AGENT: *\ndisAllow: /x', '/x', false],
    ['a line without a colon is none', 'User-agent: *\nDisallow /x', '/x', true],
    ['a misspelt key is none', 'User-agent: *\nDisalow: /x', '/x', true],
    ['markup is no robots.txt', '<!doctype html><p>User-agent: *<p>Disallow: /', '/x', true],
    ['zeros are no matter', '\0\0\nUser-agent: *\nDisallow: /x', '/x', false],
    [
      'what comes after 500 KiB is not read',
      `User-agent: *\n${'#'.repeat(500 * 1024)}\nDisallow: /`,
      '/x',
      true,
    ],
    ['what comes before is', `User-agent: *\n${'#'.repeat(499 * 1024)}\nDisallow: /`, '/x', false],
  ])('%s', (_, robots, path, allowed) => {
    expect(fetches(robots, path)).toBe(allowed)
  })
})

test('half a line at the limit is no rule', () => {
  const start = 'User-agent: *\n'
  const rule = '\nDisallow: /private'
  const filler = '#'.repeat(500 * 1024 - start.length - '\nDisallow: /'.length)
  expect(fetches(start + filler + rule, '/x')).toBe(true)
})

test('the verdict names the line that decided', () => {
  const robots = parseRobots('User-agent: *\nDISALLOW: /x*  # no\nAllow: /x/y')
  const verdict = (path: string) => isAllowed(robots, 'forager', `https://example.org${path}`)
  expect(verdict('/x')).toEqual({ allowed: false, rule: 'Disallow: /x*' })
  expect(verdict('/x/y')).toEqual({ allowed: true, rule: 'Allow: /x/y' })
  expect(verdict('/z')).toEqual({ allowed: true, rule: '' })
  expect(verdict('#x')).toEqual({ allowed: true, rule: '' })
})

test('a crawl delay is that of the group that holds, and the slower of two', () => {
  const robots = parseRobots(`User-agent: *\nCrawl-delay: 10\n
    User-agent: forager\nCrawl-delay: 0.5\nDisallow: /x\n
    User-agent: odd\nCrawl-delay: soon\nCrawl-delay: -1\nCrawl-delay:\nDisallow: /x\n
    User-agent: forager\nCrawl-delay: 2`)
  expect(crawlDelaySeconds(robots, 'Forager')).toBe(2)
  expect(crawlDelaySeconds(robots, 'other')).toBe(10)
  expect(crawlDelaySeconds(robots, 'odd')).toBeUndefined()
  expect(crawlDelaySeconds(parseRobots(''), 'forager')).toBeUndefined()
})

test('the group that holds has a name', () => {
  const robots = parseRobots('User-agent: *\nDisallow: /\nUser-agent: forager\nDisallow:')
  expect(groupNameFor(robots, 'Forager/2.0')).toBe('forager')
  expect(groupNameFor(robots, 'other')).toBe('*')
  expect(groupNameFor(parseRobots('User-agent: x\nDisallow: /'), 'forager')).toBeUndefined()
})

describe('what may be done with a page', () => {
  const robots = `User-agent: *
    Content-Usage: ai=n
    Content-Usage: /open/ train-ai=y, search=y
    Content-Usage: /open/*.pdf$ train-ai=n
    Content-Usage:
    User-agent: other
    Content-Usage: /x bots=n
    Allow: /`
  test.each<[agent: string, path: string, usage: string | undefined]>([
    ['forager', '/page', 'ai=n'],
    ['forager', '/open/page', 'train-ai=y, search=y'],
    ['forager', '/open/a.pdf', 'train-ai=n'],
    ['forager', '/open/a.pdf?x', 'train-ai=y, search=y'],
    ['other', '/x/y', 'bots=n'],
    ['other', '/page', undefined],
  ])('%s is told of %s: %s', (agent, path, usage) => {
    expect(contentUsage(parseRobots(robots), agent, `https://example.org${path}`)).toBe(usage)
  })

  test('may also be said by Content-Signal', () => {
    const text = 'User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /'
    const usage = contentUsage(parseRobots(text), 'forager', 'https://example.org/')
    expect(usage).toBe('search=yes, ai-train=no')
  })

  test('is no word on whether it may be fetched', () => {
    expect(fetches('User-agent: *\nContent-Usage: / ai=n', '/page')).toBe(true)
  })

  test('is a rule, so the next User-agent line begins a new group', () => {
    const text = 'User-agent: forager\nContent-Usage: ai=n\nUser-agent: b\nDisallow: /'
    expect(fetches(text, '/page')).toBe(true)
  })
})

test('sitemaps belong to no group', () => {
  const robots =
    'Sitemap: https://a.example/1\nUser-agent: x\nsitemap:https://a.example/2\nSitemap:'
  expect(parseRobots(robots).sitemaps).toEqual(['https://a.example/1', 'https://a.example/2'])
})
