import { expect, test } from 'vitest'
import { parsePage } from '../parse-page.ts'

const read = (html: string) => parsePage(Buffer.from(html), 'text/html', 'https://a.example/')
const jsonLd = (json: string) => `<p>Seen.<script type="application/ld+json">${json}</script>`

test('an item that another has by ten names, and so on, takes no longer than its bytes', () => {
  const item = '<div itemscope itemprop="a b c d e f g h i j">'
  const began = performance.now()
  const { data } = read(`<div itemscope itemtype="https://schema.org/Book">${item.repeat(18)}`)
  expect(performance.now() - began).toBeLessThan(1_000)
  expect(data).toEqual({ type: 'Book' })
})

test.each([5_000, 50_000])(
  'lists within lists, %i deep, say nothing and break nothing',
  (depth) => {
    const lists = '['.repeat(depth) + ']'.repeat(depth)
    expect(read(jsonLd(lists))).toMatchObject({ text: 'Seen.' })
    const page = read(jsonLd(`{"@type":"Book","name":"N","author":${lists}}`))
    expect(page.data).toEqual({ type: 'Book', title: 'N' })
  },
)

test('what fits is kept as it was said', () => {
  const said = { '@type': 'Book', list: [1, null, true, { deep: ['"ä"'] }], none: {} }
  expect(JSON.parse(read(jsonLd(JSON.stringify(said))).data?.json ?? '')).toEqual({
    jsonLd: [said],
  })
})

test('half a character, which is no JSON to others, is replaced; what only looks like one stays', () => {
  const script = String.raw`{"name":"a\ud800\udc00b","\ud800":["\ud801\udfff\udfff", "\\ud800"]}`
  const data = read(jsonLd(script)).data
  const said = [{ name: 'a\u{10000}b', '\ufffd': ['\u{107ff}\ufffd', '\\ud800'] }]
  expect(JSON.parse(data!.json!)).toEqual({ jsonLd: said })
  expect(data!.json!.isWellFormed() && !/[^\\]\\ud/.test(data!.json!)).toBe(true)
  // An emoji that a cut goes through.
  const long = `<meta property="og:title" content="${'a'.repeat(1_999)}\u{1f600}">`
  expect(JSON.parse(read(long).data!.json!)).toEqual({
    openGraph: { 'og:title': `${'a'.repeat(1_999)}\ufffd` },
  })
})
