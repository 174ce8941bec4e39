import { expect, test } from 'vitest'
import { labelsBeforeSuffix, registrableDomain } from './registrable-domain.ts'

test.each([
  ['example.org', 'example.org'],
  ['www.example.org', 'example.org'],
  ['news.bbc.co.uk:8080', 'bbc.co.uk'],
  ['fly.aa.com', 'aa.com'],
  ['ann.github.io', 'ann.github.io'],
  ['blog.ann.github.io', 'ann.github.io'],
  ['github.io', 'github.io'],
  ['co.uk', 'co.uk'],
  ['localhost', 'localhost'],
  ['localhost:3000', 'localhost'],
  ['127.0.0.1:80', '127.0.0.1'],
  ['[::1]:8080', '[::1]'],
  ['www.site7.test', 'site7.test'],
  ['www.xn--bcher-kva.example', 'xn--bcher-kva.example'],
])('%s belongs to %s', (host, domain) => {
  expect(registrableDomain(host)).toBe(domain)
})

test.each([
  ['news.bbc.co.uk', 'news.bbc'],
  ['ann.github.io', 'ann.github'],
  ['localhost', 'localhost'],
  ['127.0.0.1', ''],
])('before the suffix of %s stands "%s"', (host, labels) => {
  expect(labelsBeforeSuffix(host)).toBe(labels)
})
