import { expect, test } from 'vitest'
import { parseHtml } from '../html/html.ts'

const URL_OF_PAGE = 'http://a.example/'
const needOf = (html: string) => parseHtml(html, URL_OF_PAGE).scriptNeed
const LONG = `<p>${'All that there is to say of hiking in the hills. '.repeat(20)}</p><a href="/a">a</a><a href="/b">b</a>`

test('the empty frame of an application needs its scripts', () => {
  const frames = [
    '<div id="root"></div>',
    "<div class=x id='__next'><!-- filled later --></div>",
    '<app-root></app-root>',
    '<body ng-app="shop"><div ng-view></div>',
    '<noscript><strong>You need to enable JavaScript</strong> to run this.</noscript><div id=x></div>',
  ]
  for (const frame of frames)
    expect(needOf(`<title>App</title>${frame}<script src="/app.js"></script>`), frame).toBe('shell')
})

test('a page with scripts that says little, or leads nowhere, may need them', () => {
  expect(needOf('<p>Loading …</p><script>load()</script>')).toBe('thin')
  expect(needOf(`${LONG.replaceAll(/<a.*?<\/a>/g, '')}<script>load()</script>`)).toBe('thin')
})

test('a page that says something, or has no scripts, needs none', () => {
  expect(needOf(`${LONG}<script>count()</script>`)).toBeUndefined()
  expect(needOf(`<div id="root">${LONG}</div><script>count()</script>`)).toBeUndefined()
  expect(needOf('<div id="root"></div><p>short</p>')).toBeUndefined()
})

test('a menu around an empty frame does not hide it', () => {
  const menu = `<nav>${Array.from({ length: 20 }, (_, i) => `<a href="/m${i}">Menu item ${i}</a>`).join(' ')}</nav>`
  expect(needOf(`${menu}<div id="app"></div><script src=a.js></script>`)).toBe('shell')
})

test('looking for signs takes time in proportion to the markup', () => {
  const hostile = '<div id=root '.repeat(20_000) + '<noscript><b>'.repeat(20_000)
  const startedAt = performance.now()
  needOf(`${hostile}<script>`)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
