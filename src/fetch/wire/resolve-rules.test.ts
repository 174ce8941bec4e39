import { describe, expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { parseResolveRule, targetOf } from './resolve-rules.ts'

const rules = (...texts: string[]) => texts.map(parseResolveRule)

describe('where a URL is fetched from', () => {
  test('without a rule it is the URL’s own host', () => {
    expect(targetOf([], new URL('https://example.org/a'))).toEqual({
      scheme: 'https',
      address: 'example.org',
      port: 443,
      replaced: false,
    })
    expect(targetOf([], new URL('http://[::1]:81/'))).toMatchObject({ address: '::1', port: 81 })
  })

  test('an exact host goes before a wildcard, and of wildcards the first wins', () => {
    const all = rules('*.org=10.0.0.1:1', '*=10.0.0.2:2', 'a.example.org=10.0.0.3:3')
    expect(targetOf(all, new URL('http://a.example.org/')).port).toBe(3)
    expect(targetOf(all, new URL('http://b.example.org/')).port).toBe(1)
    expect(targetOf(all, new URL('http://example.net/')).port).toBe(2)
  })

  test('*.example.org does not cover example.org itself, nor notexample.org', () => {
    const [rule] = rules('*.example.org=10.0.0.1:1')
    expect(targetOf([rule], new URL('http://example.org/')).replaced).toBe(false)
    expect(targetOf([rule], new URL('http://notexample.org/')).replaced).toBe(false)
  })

  test('a loopback stand-in is spoken to in plain HTTP, any other in the URL’s scheme', () => {
    const https = new URL('https://example.org/')
    for (const address of ['127.0.0.1', 'localhost', '[::1]'])
      expect(targetOf(rules(`*=${address}:8080`), https).scheme).toBe('http')
    expect(targetOf(rules('*=10.0.0.1:8443'), https).scheme).toBe('https')
    expect(targetOf(rules('*=https://127.0.0.1:8443'), https).scheme).toBe('https')
    expect(targetOf(rules('*=http://10.0.0.1'), https)).toMatchObject({ scheme: 'http', port: 80 })
  })

  test('IPv6 addresses stand in brackets, and reach the socket without them', () => {
    expect(parseResolveRule('example.org=[2001:DB8::1]:80').address).toBe('2001:db8::1')
  })

  test('host names are compared as URLs write them', () => {
    expect(parseResolveRule('Bücher.Example=127.0.0.1:80').pattern).toBe('xn--bcher-kva.example')
  })
})

test.each([
  '',
  '127.0.0.1:8080',
  '*=',
  '*=127.0.0.1',
  '*=:8080',
  '*=127.0.0.1:0',
  '*=127.0.0.1:70000',
  'a*b=127.0.0.1:80',
  'exa mple=127.0.0.1:80',
  '*=::1:80',
  'a/b=127.0.0.1:80',
])('resolve %j is refused with the right form', (text) => {
  expect(() => parseResolveRule(text)).toThrow(SettingError)
  expect(() => parseResolveRule(text)).toThrow('resolve')
})
