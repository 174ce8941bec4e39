import { Frontier } from '#frontier/frontier.ts'
import { LinkWords } from '#frontier/link-words/link-words.ts'
import { seededRandom } from '#numeric/random.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import { answersOf } from '../../facts/query-answers.ts'

const TOPICS = ['otter', 'harbour', 'violin', 'glacier', 'saffron', 'kite', 'walnut', 'comet']
const ASPECTS = ['history', 'price', 'care', 'map', 'music', 'recipe']

/** A small web on a few topics of which the first pages are fetched; links call pages by their subject. */
export function topicWeb(
  seed: number,
  { pages = 160, fetched = 110 }: { pages?: number; fetched?: number } = {},
): { facts: AcquisitionFacts; index: TextIndex } {
  const random = seededRandom(seed)
  const pick = (words: readonly string[]) => words[random.below(words.length)]
  const subjects = Array.from({ length: pages }, () => `${pick(TOPICS)} ${pick(ASPECTS)}`)
  const frontier = new Frontier()
  for (let page = 0; page < pages; page++)
    frontier.add(`https://host${page % 3}.org/${page}`, 'link', 1, 1)
  const index = new TextIndex(defaultAnalyser)
  const queries = TOPICS.flatMap((topic) =>
    ASPECTS.map((aspect) => ({ text: `${topic} ${aspect}`, weight: 1 + random.below(5) })),
  )
  const words = new LinkWords(defaultAnalyser, frontier.urls, frontier.links.anchors)
  words.setQueries(queries.map(({ text }) => text))
  for (let page = 0; page < fetched; page++) {
    const targets = Uint32Array.from({ length: 6 }, () => random.below(pages) ** 2 / pages)
    const anchors = targets.map((target) => frontier.links.anchors.add(subjects[target]))
    const rels = new Uint8Array(targets.length)
    const before = frontier.links.rowOf(page)
    frontier.links.replace(page, { targets, anchors, rels })
    words.replaceRow(page, before, { targets, anchors, rels })
    frontier.visit(page, { state: 'page', at: 2, contentKey: 0xfffffffffffff })
    const text = `${subjects[page]} ${pick(TOPICS)} ${pick(ASPECTS)} and more`
    index.replace(page, {
      url: frontier.urls.urlOf(page),
      title: subjects[page],
      text,
      anchors: [],
    })
  }
  const facts = {
    ...frontier.graphFacts(3, seed),
    queries,
    answers: answersOf(index, queries, defaultScoring),
    words,
    sections: new Uint32Array(pages),
    addressLengths: new Uint16Array(pages).fill(20),
    budget: 10,
    model: undefined,
  }
  return { facts, index }
}
