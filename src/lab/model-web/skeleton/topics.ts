import { type Random, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import type { ModelWebKnobs } from './knobs.ts'
import { FUNCTION_WORDS, type Vocabulary, type WordTable, zipfTable } from './vocabulary.ts'

/** Every topic has this many aspects; an aspect is what one page, or one query, is really about. */
export const ASPECTS_PER_TOPIC = 6

const TOPIC_TERMS = 90
const ASPECT_TERMS = 30
const FIELD_TERMS = 60

/** Fields contain topics, topics contain aspects. Aspect a belongs to topic ⌊a / ASPECTS_PER_TOPIC⌋. */
export interface Topics {
  readonly count: number
  readonly field: Uint16Array // of each topic
  /** How much is written about each topic; sums to 1. */
  readonly popularity: Float64Array
  readonly byPopularity: WeightedSampler
  readonly inField: readonly (readonly number[])[]
  readonly fieldWords: readonly WordTable[]
  readonly topicWords: readonly WordTable[]
  readonly aspectWords: readonly WordTable[]
}

/** Topics of very unequal size with terms of their own; words may belong to several topics. */
export function makeTopics(
  random: Random,
  knobs: ModelWebKnobs,
  pages: number,
  vocabulary: Vocabulary,
): Topics {
  const wanted = Math.round(knobs.topicsPerRootPage * Math.sqrt(pages))
  const count = Math.min(1500, Math.max(40, wanted))
  const fields = Math.max(8, Math.round(count / 14))
  const weights = zipfWeights(count, knobs.topicSizeExponent)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const field = Uint16Array.from({ length: count }, () => random.below(fields))
  const inField: number[][] = Array.from({ length: fields }, () => [])
  field.forEach((itsField, topic) => {
    inField[itsField].push(topic)
  })
  const table = (terms: number, slots: number) =>
    zipfTable(drawTerms(random, vocabulary, terms), 0.8, slots)
  return {
    count,
    field,
    popularity: weights.map((weight) => weight / total),
    byPopularity: new WeightedSampler(weights),
    inField,
    fieldWords: Array.from({ length: fields }, () => table(FIELD_TERMS, 512)),
    topicWords: Array.from({ length: count }, () => table(TOPIC_TERMS, 512)),
    aspectWords: Array.from({ length: count * ASPECTS_PER_TOPIC }, () => table(ASPECT_TERMS, 256)),
  }
}

export const topicOf = (aspect: number): number => Math.floor(aspect / ASPECTS_PER_TOPIC)

/** Some aspect of a topic; the first is the commonest. */
export function drawAspect(random: Random, topic: number): number {
  const position = random.next() ** 1.6
  return topic * ASPECTS_PER_TOPIC + Math.floor(position * ASPECTS_PER_TOPIC)
}

/** A topic of the same field, possibly the same topic. */
export const relatedTopic = (random: Random, topics: Topics, topic: number): number =>
  random.pick(topics.inField[topics.field[topic]])

/** How much of a need for one aspect a page about another can meet, 0 to 1. */
export function closeness(topics: Topics, wanted: number, offered: number): number {
  if (wanted === offered) return 1
  if (topicOf(wanted) === topicOf(offered)) return 0.45
  return topics.field[topicOf(wanted)] === topics.field[topicOf(offered)] ? 0.12 : 0
}

/** Different words, mostly of middling frequency. */
function drawTerms(random: Random, vocabulary: Vocabulary, count: number): Uint32Array {
  const terms = new Set<number>()
  const lowest = FUNCTION_WORDS.length + 150
  const span = vocabulary.words.length - lowest
  while (terms.size < count) terms.add(lowest + Math.floor(random.next() ** 1.5 * span))
  return Uint32Array.from(terms)
}
