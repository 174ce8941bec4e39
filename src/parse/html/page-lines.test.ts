import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mainText } from '../page/main-text.ts'
import { parseHtml } from './html.ts'

const PROSE = Array.from(
  { length: 4 },
  (_, i) => `Sentence ${i} tells of lamps and of the sea at some length, without an end in sight.`,
)
const ARTICLE = PROSE.map((text) => `<p>${text}</p>`).join('')
const MENU = ['Home', 'Products', 'News', 'Jobs', 'Contact']
  .map((word) => `<li><a href="/${word}">${word}</a></li>`)
  .join('')
const TEASERS = PROSE.map(
  (text) => `<div><a href=x>Lamps that shine upon the sea by night</a><p>${text}</p></div>`,
).join('')

const main = (html: string) => mainText(parseHtml(html, 'http://a.example/'))

describe('what a page is about', () => {
  test.each([
    ['nav and footer', `<nav>${MENU}</nav>${ARTICLE}<footer>Imprint</footer>`],
    [
      'roles',
      `<div role="navigation">Where to go</div>${ARTICLE}<div role=contentinfo>Imprint</div>`,
    ],
    [
      'classes and ids',
      `<div class="top navbar">Go</div>${ARTICLE}<div id="page-footer">Imprint</div>`,
    ],
    ['a cookie note', `<div class="cookie-banner">We value your privacy</div>${ARTICLE}`],
    ['a main element', `<div>Our slogan</div><main>${ARTICLE}</main><div>Imprint</div>`],
    ['a list of links', `<ul>${MENU}</ul>${ARTICLE}`],
    [
      'a line of links at the end',
      `${ARTICLE}<div><a href="/p">Prev</a> Chapter <a href="/n">Next</a></div>`,
    ],
  ])('is told from %s', (_, html) => {
    expect(main(html)).toBe(PROSE.join('\n'))
  })

  test('is all of it where nothing else would be left', () => {
    const list = `<nav>${MENU}</nav>`
    expect(main(list)).toBe(parseHtml(list, 'http://a.example/').text)
    const index = `<ul>${MENU.repeat(9)}</ul>`
    expect(main(index)).toContain('Products')
    expect(main(`<div class=menu>${ARTICLE}</div>`)).toBe(PROSE.join('\n'))
  })

  test('is a list of links that says more than the sentences beside it', () => {
    const head = `<h1>Chapter 4</h1><p>${PROSE[0]}</p>`
    const contents = `<ul>${MENU}${MENU}</ul>`
    const edge = '<div><a href="/p">Prev</a> <a href="/n">Next</a></div>'
    const { text } = parseHtml(head + contents, 'http://a.example/')
    expect(main(edge + head + contents)).toBe(text)
    expect(main(`${head}${contents}${ARTICLE.repeat(2)}`)).not.toContain('Products')
  })

  test('is where most sentences stand together, without what stands beside them', () => {
    const beside = '<div><h4>Hours</h4>Monday to Friday</div>'
    const column = `<div>${beside.repeat(4)}<p>Call us at any time of the day.</p></div>`
    const layouts = [
      `<div><div>${ARTICLE}</div>${column}</div>`,
      `<table><tr><td>${column}<td>${ARTICLE}</table>`,
      `${column}\n<div>\n<div>\n${ARTICLE}</div>\n</div>\n${column}`,
    ]
    for (const layout of layouts) expect(main(layout)).toBe(PROSE.join('\n'))
  })

  test('is all sections of a text, and all teasers of a front page', () => {
    const section = (text: string) => `<div><h2>Lamps</h2>${text}</div>`
    const sections = PROSE.map((text) => section(`<p>${text}</p>`)).join('')
    const short = `${section(ARTICLE)}${section(`<p>${PROSE[0]}</p>`)}`
    const front = `<h1>Today</h1><p>Of lamps</p><p>And the sea</p>${TEASERS}<p>Up to now</p>`
    for (const html of [sections, short, front])
      expect(main(html)).toBe(parseHtml(html, 'http://a.example/').text)
  })

  test('is no teasers beside an article', () => {
    const page = `<div><div>${ARTICLE}${ARTICLE}</div><div>${TEASERS}</div></div>`
    expect(main(page)).toBe([...PROSE, ...PROSE].join('\n'))
  })

  test('keeps links within sentences, and words that only look like a menu', () => {
    const linked = `<p>${PROSE[0]} <a href="/x">${PROSE[1]}</a></p><p class="navigator">${PROSE[2]}</p>${ARTICLE}`
    expect(main(linked)).toBe(parseHtml(linked, 'http://a.example/').text)
  })

  test('is made of lines of the text, whatever the markup', () => {
    const piece = fc.constantFrom(
      '<nav>',
      '</nav>',
      '<main>',
      '</main>',
      '<p>',
      '<a href=x>',
      '</a>',
      '<br>',
      'word ',
      PROSE[0],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { text, asides = [] } = parseHtml(pieces.join(''), 'http://a.example/')
        const lines = text.split('\n').length
        expect(asides.length % 2).toBe(0)
        for (const [i, line] of asides.entries()) {
          expect(line).toBeGreaterThan(i === 0 ? -1 : asides[i - 1])
          expect(line).toBeLessThanOrEqual(lines)
        }
      }),
    )
  })
})
