import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultAnalyser, defaultScoring } from './default-search.ts'
import { addedCounts, corpusCounts, SharedCorpus } from './shared-corpus.ts'
import { TextIndex } from './text-index.ts'

const WORDS = ['sea', 'seas', 'lantern', 'harbour', 'mapa', 'mapas', 'of', 'beer']
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 })
const page = fc.record({
  url: fc.constant('http://a.example/'),
  title: words.map((some) => some.join(' ')),
  text: words.map((some) => some.join(' ')),
  anchors: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
  language: fc.constantFrom(undefined, 'en', 'es'),
})
const QUERIES = ['sea lantern', 'mapas', 'beer of the harbour', 'nowhere', '']

test('pages of several indexes are scored as if all were in one', () => {
  fc.assert(
    fc.property(
      fc.array(page, { maxLength: 12 }),
      fc.integer({ min: 1, max: 4 }),
      (pages, count) => {
        const whole = new TextIndex(defaultAnalyser)
        const parts = Array.from({ length: count }, () => new TextIndex(defaultAnalyser))
        pages.forEach((one, url) => {
          whole.replace(url, one)
          parts[url % count].replace(url, one)
        })
        const counts = addedCounts(parts.map((part) => corpusCounts(part, QUERIES)))
        expect(counts).toEqual(corpusCounts(whole, QUERIES))
        const corpus = new SharedCorpus(counts)
        for (const text of QUERIES) {
          const prepared = whole.prepare(text, defaultScoring)
          pages.forEach((_, url) => {
            const part = parts[url % count]
            const shared = corpus.prepare(part, text, defaultScoring)
            expect(shared.totalWeight).toBe(prepared.totalWeight)
            expect(part.scoreOf(url, shared)).toBe(whole.scoreOf(url, prepared))
          })
        }
      },
    ),
    { numRuns: 60 },
  )
})
