import { mixHash } from '#numeric/hash.ts'
import { type Random, seededRandom } from '#numeric/random.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { capitalised } from '../skeleton/names.ts'
import { topicOf } from '../skeleton/topics.ts'
import { drawWord } from '../skeleton/vocabulary.ts'

/** The generator for one purpose of one page: always the same, whoever asks and whenever. */
export const randomFor = (web: ModelWeb, page: number, purpose: number): Random =>
  seededRandom(mixHash(mixHash(web.seed, page), purpose))

/** Purposes of `randomFor`; paragraphs use their key, which is above all of these. */
const TITLE = 1
const STYLE = 2
const SNIPPET = 3
const FIRST_PARAGRAPH = 16

/** What is typical of one page's writing. */
export interface Style {
  /** Paragraphs of its first version. */
  readonly paragraphs: number
  /** Share of content words that come from the page's topics. */
  readonly focus: number
  readonly stuffed: boolean
}

/** Good pages tend to be longer and more to the point, but not reliably so. */
export function styleOf(web: ModelWeb, page: number): Style {
  const random = randomFor(web, page, STYLE)
  const quality = web.pages.quality[page]
  const { name } = web.hosts[web.pages.host[page]].archetype
  const length = Math.exp(1.6 + 0.5 * (quality - 0.5) + 0.7 * random.normal())
  const focus = 0.3 + 0.4 * quality + 0.18 * random.normal()
  return {
    paragraphs: Math.min(40, Math.max(1, Math.round(length))),
    focus: Math.min(0.95, Math.max(0.08, focus)),
    stuffed: name === 'spam',
  }
}

/** Words of a page's title: two to six different ones, mostly of its topic. */
export function titleWords(web: ModelWeb, page: number): number[] {
  const { pages, topics, vocabulary } = web
  const original = pages.textOf[page]
  const random = randomFor(web, original, TITLE)
  const aspect = pages.aspect[original]
  const count = 2 + random.below(3) + random.below(3)
  const words = new Set<number>()
  while (words.size < count) {
    const draw = random.next()
    if (draw < 0.4) words.add(drawWord(topics.aspectWords[aspect], random.next))
    else if (draw < 0.75) words.add(drawWord(topics.topicWords[topicOf(aspect)], random.next))
    else words.add(drawWord(vocabulary.background, random.next))
  }
  return [...words]
}

/** One sentence that sums a page up, for listings. */
export const snippetOf = (web: ModelWeb, page: number): string =>
  sentences(web, randomFor(web, page, SNIPPET), page, web.pages.aspect[page], styleOf(web, page), 1)

/**
 * A paragraph is known by its key: ((revision × 64) + place) × 2, plus 1 when it was written after
 * the page had turned to its second topic.
 */
export const paragraphKey = (revision: number, place: number, drifted: boolean): number =>
  (revision * 64 + place) * 2 + (drifted ? 1 : 0)

/** The paragraph of a page that has this key. */
export function paragraphText(web: ModelWeb, page: number, key: number, style: Style): string {
  const random = randomFor(web, page, FIRST_PARAGRAPH + key)
  const { aspect, second } = web.pages
  const about = key % 2 === 1 || random.chance(0.12) ? second[page] : aspect[page]
  return sentences(web, random, page, about, style, 2 + random.below(5))
}

function sentences(
  web: ModelWeb,
  random: Random,
  page: number,
  aspect: number,
  style: Style,
  count: number,
): string {
  const { words } = web.vocabulary
  let text = ''
  for (let sentence = 0; sentence < count; sentence++) {
    const length = 6 + random.below(12)
    if (sentence > 0) text += ' '
    text += capitalised(words[drawContentWord(web, random, page, aspect, style)])
    for (let place = 1; place < length; place++) {
      const glue = random.next() < (style.stuffed ? 0.15 : 0.42)
      const word = glue
        ? drawWord(web.vocabulary.functionWords, random.next)
        : drawContentWord(web, random, page, aspect, style)
      text += ` ${words[word]}`
    }
    text += '.'
  }
  return text
}

function drawContentWord(
  web: ModelWeb,
  random: Random,
  page: number,
  aspect: number,
  style: Style,
): number {
  const { topics, vocabulary, pages } = web
  const draw = random.next()
  const topic = topicOf(aspect)
  // Spam repeats the head terms of its topic and of whatever is popular.
  if (style.stuffed && draw < 0.6) {
    const bait = draw < 0.3 ? topic : topics.byPopularity.sample(random)
    return topics.topicWords[bait][Math.floor(random.next() * 160)]
  }
  if (draw >= style.focus) return drawWord(vocabulary.background, random.next)
  const part = draw / style.focus
  if (part < 0.4) return drawWord(topics.aspectWords[aspect], random.next)
  if (part < 0.82) return drawWord(topics.topicWords[topic], random.next)
  if (part < 0.92) return drawWord(topics.fieldWords[topics.field[topic]], random.next)
  return drawWord(topics.topicWords[topicOf(pages.second[page])], random.next)
}
