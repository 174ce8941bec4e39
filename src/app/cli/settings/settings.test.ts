import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import type { ResolveRule } from '#fetch/wire/resolve-rules.ts'
import { identityOf, isContact, requireContact } from '#library/settings/identity.ts'
import { byteSize, timeSpan } from '#library/settings/setting-kinds.ts'
import { groupOf, SETTING_GROUPS, SETTINGS, type Setting } from '#library/settings/settings.ts'
import { settingsIn } from './config-file.ts'
import { configurationPage } from './configuration-page.ts'
import { addSettings, sizeText, timeText } from './setting-flags.ts'

const settings: [string, Setting<unknown>][] = Object.entries(SETTINGS)
const mistake = (json: unknown) => () => settingsIn(json, 'my.json')

describe('the table of settings', () => {
  test('each has a key and a flag of its own, and a name that commander gives the flag', () => {
    const options = new Map(
      (['crawl', 'run'] as const).flatMap((name) =>
        addSettings(new Command(), name).options.map((option) => [option.flags, option]),
      ),
    )
    expect(new Set(settings.map(([, { key }]) => key)).size).toBe(settings.length)
    for (const [name, { value }] of settings)
      if (value !== undefined)
        expect(
          [...options.values()].filter((option) => option.attributeName() === name).length,
          name,
        ).toBe(1)
  })

  test('each belongs to a group that has a heading', () => {
    for (const [name, { key }] of settings)
      expect(Object.keys(SETTING_GROUPS), name).toContain(groupOf(key))
  })

  test('each example is a value of its own kind', () => {
    for (const [name, { kind }] of settings)
      expect(kind.fromJson(JSON.parse(kind.example)), name).toBeDefined()
  })

  test('docs/reference/configuration.md is current (else run: node scripts/write-configuration-page.ts)', () => {
    expect(readFileSync('docs/reference/configuration.md', 'utf8')).toBe(configurationPage())
  })
})

describe('a config file', () => {
  test('sets what it says, of every type', () => {
    const json = {
      $schema: './any.json',
      seeds: ['https://a.example/'],
      budget: 50,
      scope: { reach: 'domain', include: ['a.example/*'] },
      politeness: { delaySeconds: 0.5 },
      limits: { bytes: '2GB', time: '1h30m' },
      http: { allowPrivate: true },
      warc: { write: false },
    }
    expect(settingsIn(json, 'my.json')).toEqual({
      seedUrls: ['https://a.example/'],
      budget: 50,
      scope: 'domain',
      include: ['a.example/*'],
      delay: 0.5,
      maxBytes: 2e9,
      maxTime: 5400,
      allowPrivate: true,
      warc: false,
    })
  })

  test('names files from where it lies', () => {
    const json = { dir: 'data', seedsFile: '/abs/seeds.txt' }
    expect(settingsIn(json, 'conf/my.json')).toEqual({ dir: 'conf/data', seeds: '/abs/seeds.txt' })
  })

  test('a wrong value is named with its key and what it must be', () => {
    expect(mistake({ politeness: { delaySeconds: 'fast' } })).toThrow(
      'my.json: politeness.delaySeconds must be a number of at least 0, not "fast"',
    )
    expect(mistake({ scope: { include: 'x' } })).toThrow(
      /scope\.include must be a list, each a URL/,
    )
    expect(mistake({ budget: 1.5 })).toThrow(
      /budget must be a whole number of at least 1, or so many more .*, not 1\.5/,
    )
    expect(mistake({ policy: 'magic' })).toThrow(/policy must be one of unified, random, bfs/)
    expect(mistake({ policy: 'unifed' })).toThrow(/not "unifed"\. Did you mean unified\?/)
    expect(mistake([])).toThrow(/my\.json must hold one JSON object/)
  })

  test.each([
    ['politeness.dealySeconds', { politeness: { dealySeconds: 1 } }, 'politeness.delaySeconds'],
    ['bugdet', { bugdet: 1 }, 'budget'],
    ['delay', { delay: 1 }, 'politeness.delaySeconds'],
    ['maxDepth', { maxDepth: 1 }, 'scope.maxDepth'],
    ['politness', { politness: { delaySeconds: 1 } }, undefined],
  ])('the unknown key %s gets a suggestion', (key, json, meant) => {
    expect(mistake(json)).toThrow(`there is no setting "${key}"`)
    if (meant) expect(mistake(json)).toThrow(`did you mean "${meant}"?`)
  })

  test('a group that is no object is a mistake too', () => {
    expect(mistake({ scope: 'host' })).toThrow(/"scope" must be an object with .*maxDepth/)
  })

  test('a mistaken proxy is shown without its password', () => {
    expect(mistake({ http: { proxy: 'socks://me:secret@proxy.example' } })).toThrow(
      'not "socks://***@proxy.example"',
    )
  })
})

test('sizes and times are read as people write them', () => {
  expect(['500', '10MB', '1.5 GB', '2GiB', '3kb'].map(byteSize.fromText)).toEqual([
    500,
    1e7,
    1.5e9,
    2 ** 31,
    3000,
  ])
  expect(['0', '-1', 'MB', '1XB', '1e3', ''].map(byteSize.fromText)).toEqual(
    Array(6).fill(undefined),
  )
  expect(['90', '90s', '15m', '2h', '1h30m', '1d 2h'].map(timeSpan.fromText)).toEqual([
    90, 90, 900, 7200, 5400, 93_600,
  ])
  expect(['0', 'h', '5x', '-3s', ''].map(timeSpan.fromText)).toEqual(Array(5).fill(undefined))
  expect([86_400, 5400, 90].map(timeText)).toEqual(['1d', '90m', '90s'])
  expect([10_485_760, 1e9, 1234].map(sizeText)).toEqual(['10MiB', '1GB', '1234'])
})

describe('who we are', () => {
  const everywhere = { pattern: '*', address: '127.0.0.1', port: 80 }

  test('a contact is a mail address or a web page', () => {
    for (const good of ['you@example.org', 'https://your.site/bot', 'http://a.b/'])
      expect(isContact(good), good).toBe(true)
    for (const bad of [
      'me',
      'me@home',
      'ftp://a.b/',
      'https://localhost/',
      'https://u:p@a.b/',
      'a b@c.de',
      'x@y.z\n',
    ])
      expect(isContact(bad), bad).toBe(false)
  })

  test('the User-Agent names the contact, and a mail address is our From too', () => {
    expect(identityOf({ contact: 'https://your.site/bot' })).toEqual({
      userAgent: expect.stringMatching(/^Forager\/\d+\.\d+\.\d+ \(\+https:\/\/your\.site\/bot\)$/),
      agentToken: 'forager',
    })
    expect(identityOf({ contact: 'me@a.org', userAgent: 'MyBot/2.0' })).toEqual({
      userAgent: 'MyBot/2.0 (+me@a.org)',
      agentToken: 'mybot',
      from: 'me@a.org',
    })
    expect(identityOf({ contact: 'me@a.org', userAgent: 'MyBot (me@a.org)' }).userAgent).toBe(
      'MyBot (me@a.org)',
    )
  })

  test('without a contact only a crawl that stays on this machine may start', () => {
    const [seed, elsewhere] = ['http://a.test/', 'https://example.org/']
    const here = { ...everywhere, pattern: 'a.test' }
    const away = { ...everywhere, address: '192.0.2.1' }
    const allowed = (rules: ResolveRule[], seeds: string[], more = {}) =>
      expect(() => requireContact(more, rules, seeds))
    allowed([], [elsewhere]).toThrow(/live crawls must say whom to write to/)
    allowed([here], []).toThrow()
    allowed([here], [seed, elsewhere]).toThrow()
    allowed([away], [seed]).toThrow()
    allowed([here], [seed], { proxy: 'http://proxy:8080' }).toThrow()
    allowed([here], [seed]).not.toThrow()
    allowed([], ['http://127.0.0.1:8080/', 'http://[::1]/', 'http://localhost/']).not.toThrow()
    allowed([everywhere], [elsewhere]).not.toThrow()
    allowed([], [elsewhere], { contact: 'me@a.org' }).not.toThrow()
  })
})
