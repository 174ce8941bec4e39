import { describe, expect, test } from 'vitest'
import { REL_ALTERNATE, REL_HUB, REL_NOFOLLOW, REL_SPONSORED, REL_UGC } from '../page/page.ts'
import { parseHtml } from './html.ts'

const PAGE = 'https://example.org/dir/page'
const parse = (html: string) => parseHtml(html, PAGE)
const textOf = (html: string) => parse(html).text
const linksOf = (html: string) => parse(html).links.map(({ url, anchor }) => [url, anchor])

test('a page says its title, text, links, language and preferred address', () => {
  const html = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">
    <title> Caf&eacute;s &amp; bars </title><link rel="canonical" href="/best#x"></head>
    <body><h1>Caf&eacute;s</h1><p>Try <a href="one.html">the <b>first</b></a>,
    or the second.</p></body></html>`
  expect(parse(html)).toEqual({
    form: 'page',
    title: 'Cafés & bars',
    text: 'Cafés\nTry the first, or the second.',
    links: [{ url: 'https://example.org/dir/one.html', anchor: 'the first', rel: 0 }],
    canonical: 'https://example.org/best',
    language: 'pt-br',
    noindex: false,
    nofollow: false,
  })
})

test.each([
  ['<p>one<p>two<div>three</div>four', 'one\ntwo\nthree\nfour'],
  ['one<br>two<hr>three', 'one\ntwo\nthree'],
  ['<ul><li>one<li>two</ul>', 'one\ntwo'],
  ['<table><tr><td>a<td>b<tr><td>c</table>', 'a b\nc'],
  ['in<b>li</b>ne <i>and</i> apart', 'inline and apart'],
  ['a \n\t b&nbsp;&nbsp;c', 'a b c'],
  ['<pre>a\n  b</pre>', 'a b'],
  ['x<script>if (a < b) "</p>"</script>y<style>p{}</style>z', 'xyz'],
  ['x<template>never</template>y', 'xy'],
  ['x<noscript>switch it on</noscript>y', 'xy'],
  ['x<iframe><p>frame</p></iframe>y', 'xy'],
  ['x<!-- <p>comment</p> -->y', 'xy'],
  ['<title>not here</title>here', 'here'],
  ['x<svg><title>icon</title><text>drawn</text></svg>y', 'xdrawny'],
  ['x<svg><path d="M0"/><style>p{}</style></svg>y', 'xy'],
  ['<svg/><textarea>a<b></textarea>', 'a<b>'],
  ['<svg><g>x<p>out again<script>not this</script>', 'x\nout again'],
  ['<math><![CDATA[a<b]]></math>', 'a<b'],
  ['<textarea>a<b></textarea>', 'a<b>'],
  ['1 < 2 && 3 > 2', '1 < 2 && 3 > 2'],
  ['&lt;p&gt; &#x41;&#66; &bogus; &amp', '<p> AB &bogus; &'],
  ['</p>a</br>b</div>c', 'a\nb\nc'],
  ['<b><i>a</b>b</i>c', 'abc'],
  ['cut <td></td ', 'cut'],
  ['cut <br /', 'cut'],
  ['cut <b', 'cut'],
  ['a</b title=">">b', 'ab'],
  ['a<script><!--<script>x</script>--></script>b', 'ab'],
  ['a<lin\u212a rel=canonical>b', 'ab'],
  ['cut <a href="/x', 'cut'],
  ['cut <', 'cut <'],
  ['', ''],
])('the visible text of %j is %j', (html, expected) => {
  expect(textOf(html)).toBe(expected)
})

test.each([
  ['<p>a<p hidden>b<p>c', 'a\nc'],
  ['<p hidden>b<b>c<p>d', 'd'],
  ['<ul><li hidden>a<li>b</ul>', 'b'],
  ['<div hidden><div>a</div>b</div>c', 'c'],
  ['<div hidden><p>a</div>b', 'b'],
  ['<x-card hidden>a</x-card>b', 'b'],
  ['<input hidden>a', 'a'],
  ['<div hidden="until-found">a</div>b', 'a\nb'],
  ['<span aria-hidden="true">a</span>b', 'ab'],
])('hidden text is not visible: %j shows %j', (html, expected) => {
  expect(textOf(html)).toBe(expected)
})

test('links in hidden elements and in noscript count and keep their anchors', () => {
  const html = `<div hidden><a href="/a">first <b>link</b></a></div>
    <a href="/b" hidden>second</a><noscript><a href="/c">third</a></noscript>`
  expect(linksOf(html)).toEqual([
    ['https://example.org/a', 'first link'],
    ['https://example.org/b', 'second'],
    ['https://example.org/c', 'third'],
  ])
  expect(textOf(html)).toBe('')
})

test.each([
  ['<a href="/x"> two \n words </a>', 'two words'],
  ['<a href="/x"><div>two</div><div>words</div></a>', 'two words'],
  ['<a href="/x"><img src="i" alt=" an  image "></a>', 'an image'],
  ['<a href="/x"><img alt="icon">words</a>', 'words'],
  ['<a href="/x"><img alt=""><img alt="second"></a>', 'second'],
  ['<a href="/x"><script>no</script></a>', ''],
  ['<a href="/x">never closed', 'never closed'],
  ['<div><a href="/x">closed by its parent</div>not this', 'closed by its parent'],
  ['<a href="/x">one<a>not this</a>', 'one'],
  ['<area href="/x" alt="a region">', 'a region'],
  ['<A HREF=/x>upper case</A>', 'upper case'],
  ['<a\nhref = "/x" href="/y">the first counts</a>', 'the first counts'],
])('the anchor of %j is %j', (html, anchor) => {
  expect(linksOf(html)).toEqual([['https://example.org/x', anchor]])
})

test('doublets stay, in document order; jumps, mail and inert links are no links', () => {
  const html = `<a href="/b">1</a><a href="/a">2</a><a href="/b">3</a><a href="#top">4</a>
    <a href="mailto:ann@example.org">5</a><a name="here">6</a><a href="javascript:go()">7</a>
    <template><a href="/c">8</a></template><!-- <a href="/d">9</a> -->
    <script>"<a href='/e'>10</a>"</script>`
  expect(linksOf(html)).toEqual([
    ['https://example.org/b', '1'],
    ['https://example.org/a', '2'],
    ['https://example.org/b', '3'],
  ])
})

test('escapes in an address are undone', () => {
  expect(linksOf('<a href="/x?b=1&amp;a=&#50;">x</a>')[0][0]).toBe('https://example.org/x?a=2&b=1')
})

test('rel words become bits', () => {
  const html = `<a href=/1 rel="nofollow UGC">1</a><a href=/2 rel="noopener">2</a>
    <a href=/3 rel="sponsored,nofollow">3</a>`
  expect(parse(html).links.map(({ rel }) => rel)).toEqual([
    REL_NOFOLLOW | REL_UGC,
    0,
    REL_SPONSORED | REL_NOFOLLOW,
  ])
})

test('the first base holds for the whole page, for links before it too', () => {
  const html = '<a href="x">1</a><base href="/base/"><base href="/other/"><a href="y">2</a>'
  expect(linksOf(html)).toEqual([
    ['https://example.org/base/x', '1'],
    ['https://example.org/base/y', '2'],
  ])
})

test.each(['mailto:a@b.example', 'http://', 'data:text/html,x'])('a base of %s is none', (base) => {
  expect(linksOf(`<base href="${base}"><a href="x">1</a>`)[0][0]).toBe('https://example.org/dir/x')
})

test.each([
  ['', false, false],
  ['<meta name="robots" content="noindex">', true, false],
  ['<meta name="ROBOTS" content="NoFollow, noarchive">', false, true],
  ['<meta name="robots" content="none">', true, true],
  ['<meta name="robots" content="all">', false, false],
  ['<meta content="noindex" name="forager">', true, false],
  ['<meta name="robots" content="index"><meta name="forager" content="nofollow">', false, true],
  ['<meta name="otherbot" content="none">', false, false],
  ['<meta name="description" content="noindex">', false, false],
])('%j asks for noindex %s and nofollow %s', (html, noindex, nofollow) => {
  expect(parse(html)).toMatchObject({ noindex, nofollow })
})

test('a crawler of another name is addressed by that name', () => {
  const html = '<meta name="MyBot" content="noindex"><meta name="forager" content="nofollow">'
  expect(parseHtml(html, PAGE, 'mybot')).toMatchObject({ noindex: true, nofollow: false })
})

test.each([
  ['<html lang="en_US">', 'en-us'],
  ['<html lang="">', undefined],
  ['<html lang="<?php echo $lang ?>">', undefined],
  ['<p lang="fr">', undefined],
])('%j declares the language %s', (html, language) => {
  expect(parse(html).language).toBe(language)
})

test('only a valid canonical address counts, and a first title that says something', () => {
  expect(parse('<link rel=canonical href="mailto:x">').canonical).toBeUndefined()
  expect(parse('<link rel="shortlink canonical" href="?p=1">').canonical).toBe(`${PAGE}?p=1`)
  expect(parse('<title> </title><title>second</title><title>third</title>').title).toBe('second')
  expect(parse('<svg><title>icon</title></svg><title>page</title>').title).toBe('page')
})

test('text, anchors and links are bounded', () => {
  const words = 'word '.repeat(100_000)
  const page = parse(`<a href="/x">${words}</a>${'<a href="/y">y</a>'.repeat(12_000)}`)
  expect(page.text.length).toBeLessThanOrEqual(200_000)
  expect(page.links).toHaveLength(10_000)
  expect(page.links[0].anchor.length).toBeLessThanOrEqual(300)
})

test.each([
  ['<head><link rel=canonical href=/best></head><body>', true],
  ['<title>t</title><script>x</script><link rel=canonical href=/best>', true],
  ['<head><noscript><img src=x></noscript><link rel=canonical href=/best>', true],
  ['<head></head><link rel=canonical href=/best><body>', true],
  ['<head></head><body><link rel=canonical href=/best>', false],
  ['<head><div></div><link rel=canonical href=/best>', false],
  ['some text <link rel=canonical href=/best>', false],
  ['<template><link rel=canonical href=/best></template>', false],
])('only the head says what is canonical: %j does, %s', (html, counts) => {
  expect(parse(html).canonical).toBe(counts ? 'https://example.org/best' : undefined)
})

test('other languages and forms of a page, its feeds and its neighbours are links', () => {
  const html = `<link rel="alternate" hreflang="de" href="/de"><link rel=amphtml href=/amp>
    <link rel="alternate" type="application/rss+xml" title="News" href="/feed">
    <link rel="alternate" type="application/atom+xml" href="/atom">
    <link type="application/feed+json" rel=alternate href="feed.json">
    <link rel="next" href="?p=3"><link rel="prev" href="?p=1"><link rel=sitemap href=/map.xml>
    <link rel="stylesheet" href="/x.css"><link rel="alternate stylesheet" href="/y.css">
    <link rel=icon href=/i><link rel="alternate" type="application/json+oembed" href="/o">
    <link rel=next><a href="/z">z</a>`
  expect(parse(html).links.map(({ url, rel }) => [url, rel])).toEqual([
    ['https://example.org/de', REL_ALTERNATE],
    ['https://example.org/amp', REL_ALTERNATE],
    ['https://example.org/feed', REL_HUB],
    ['https://example.org/atom', REL_HUB],
    ['https://example.org/dir/feed.json', REL_HUB],
    [`${PAGE}?p=3`, 0],
    [`${PAGE}?p=1`, 0],
    ['https://example.org/map.xml', REL_HUB],
    ['https://example.org/z', 0],
  ])
})

test.each([
  ['0;url=/new', 'https://example.org/new'],
  ['0; URL = "/new" ', 'https://example.org/new'],
  ["3, url='new'", 'https://example.org/dir/new'],
  ['10;/new', 'https://example.org/new'],
  ['1.5 /new', 'https://example.org/new'],
  ['0;url=/new?a=1;b', 'https://example.org/new?a=1;b'],
  ['5', undefined],
  ['0;url=', undefined],
  ['0;url=javascript:go()', undefined],
  [`0;url=${PAGE}#again`, undefined],
  ['11;url=/new', undefined],
  ['soon;url=/new', undefined],
])('a refresh of %j leads to %s', (content, target) => {
  const html = `<meta http-equiv="Refresh" content="${content.replaceAll('"', '&quot;')}">`
  expect(parse(html).refreshTo).toBe(target)
  expect(parse(`<noscript>${html}</noscript>`).refreshTo).toBeUndefined()
})

test('a slow refresh is a link, and the first fast one counts', () => {
  const refresh = (content: string) => `<meta http-equiv=refresh content="${content}">`
  expect(linksOf(refresh('60;url=/later'))).toEqual([['https://example.org/later', '']])
  expect(parse(refresh('0;url=/a') + refresh('0;url=/b')).refreshTo).toBe('https://example.org/a')
})

test('a page may ask for no copy, no excerpt, and an end', () => {
  const html = `<meta name=robots content="noarchive, unavailable_after: 25 Jun 2030 15:00:00 GMT">
    <meta name=forager content="nosnippet">`
  expect(parse(html)).toMatchObject({
    noindex: false,
    noarchive: true,
    nosnippet: true,
    unavailableAfter: Date.UTC(2030, 5, 25, 15) / 1000,
  })
  expect(parse('<template><meta name=robots content=none></template>').noindex).toBe(false)
})

describe('a page that is made to take long', () => {
  const page = (html: string) => parseHtml(html, 'https://example.org/')

  test('is refreshed to no address longer than any', () => {
    const refresh = (spaces: number) =>
      page(`<meta http-equiv=refresh content="0;url${' '.repeat(spaces)}=/x">`).refreshTo
    expect(refresh(100)).toBe('https://example.org/x')
    expect(refresh(10_000)).toBeUndefined()
  })

  test('has wishes that count up to a hundred elements', () => {
    const robots = (times: number) =>
      page(`${'<meta name=robots content=all>'.repeat(times)}<meta name=robots content=noindex>`)
    expect(robots(50).noindex).toBe(true)
    expect(robots(100).noindex).toBe(false)
  })

  test('has relations that count only where one may look for them', () => {
    const rel = (words: number) =>
      page(`<a href=/x rel="${'a '.repeat(words)}nofollow">`).links[0].rel
    expect(rel(50)).toBe(REL_NOFOLLOW)
    expect(rel(500)).toBe(0)
  })

  test('is read up to a million tags', () => {
    expect(page(`${'<b>'.repeat(1_100_000)}end`).text).toBe('end')
    expect(page(`start${'<b>'.repeat(1_300_000)}end`).text).toBe('start')
  })

  test('has very many names that nobody knows, which count as one', () => {
    const names = Array.from({ length: 20_000 }, (_, number) => `<x${number}>`).join('')
    expect(page(`${names}<p hidden>a</x19000></p>b`).text).toBe('b')
    expect(page(`<y>${names}</x7>text</y>`).text).toBe('text')
  })
})
