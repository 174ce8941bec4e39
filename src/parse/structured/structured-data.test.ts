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
