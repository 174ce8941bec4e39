import { expect, test } from 'vitest'
import { isListingUrl } from './listing-url.ts'

test.each([
  'https://example.org/tags/crawling/',
  'https://example.org/blog/category/news',
  'https://example.org/keywords/memory.html',
  'https://example.org/blog/page/12/',
  'https://example.org/blog/page2.html',
  'https://example.org/news?page=3',
  'https://example.org/2024/',
  'https://example.org/blog/2024/05',
])('%s lists other pages', (url) => {
  expect(isListingUrl(url)).toBe(true)
})

test.each([
  'https://example.org/',
  'https://example.org/2024/05/tags-explained',
  'https://example.org/docs/pages/how-to-page',
  'https://tags.example.org/about',
  'https://example.org/news?id=7',
  'https://example.org/product/2024-model',
])('%s does not look so', (url) => {
  expect(isListingUrl(url)).toBe(false)
})
