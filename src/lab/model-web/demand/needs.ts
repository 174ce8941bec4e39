import type { Random } from '#numeric/random.ts'
import { siteName } from '../content/addresses.ts'
import type { Domain } from '../skeleton/hosts.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { PageKind } from '../skeleton/pages.ts'
import { closeness, drawAspect, topicOf } from '../skeleton/topics.ts'
import { drawWord, type WordTable } from '../skeleton/vocabulary.ts'

/** What a searcher wants, and the words typed for it. */
export interface Need {
  readonly text: string
  readonly aspect: number
  /** Any aspect of the topic will do. */
  readonly broad: boolean
  /** The site that a navigational query looks for. */
  readonly site?: Domain
}

const QUESTIONS = [
  (a: string, b: string) => `what is the ${a} of ${b}`,
  (a: string, b: string) => `how to ${a} a ${b}`,
  (a: string, b: string) => `who was ${a} in ${b}`,
  (a: string, b: string) => `is ${a} more ${b}`,
]

/** One need: a topic or one aspect of it, a question, or a certain site. */
export function drawNeed(random: Random, web: ModelWeb): Need {
  const { topics, domains, vocabulary } = web
  const draw = random.next()
  const word = (table: WordTable) => vocabulary.words[drawWord(table, random.next)]
  if (draw < 0.1) {
    const site = domains[Math.floor(random.next() ** 2 * domains.length)]
    const further = random.chance(0.4) ? ` ${word(topics.topicWords[site.topic])}` : ''
    const text = siteName(site.hosts[0]).toLowerCase() + further
    return { text, aspect: drawAspect(random, site.topic), broad: true, site }
  }
  const topic = topics.byPopularity.sample(random)
  const aspect = drawAspect(random, topic)
  const ofTopic = () => word(topics.topicWords[topicOf(aspect)])
  const ofAspect = () => word(topics.aspectWords[aspect])
  if (draw < 0.22)
    return { text: random.pick(QUESTIONS)(ofTopic(), ofAspect()), aspect, broad: false }
  if (draw < 0.5) {
    const words = random.chance(0.5) ? [ofTopic()] : [ofTopic(), ofTopic()]
    return { text: distinct(words), aspect, broad: true }
  }
  const count = random.below(4)
  const words = [ofAspect(), ...(count > 0 ? [ofTopic()] : []), ...(count > 1 ? [ofAspect()] : [])]
  if (count > 2) words.push(ofTopic())
  return { text: distinct(words), aspect, broad: false }
}

const distinct = (words: readonly string[]): string => [...new Set(words)].join(' ')

/** How well each kind of page serves a broad and a narrow need, beside its topic and quality. */
const SERVES: Readonly<Record<number, readonly [broad: number, narrow: number]>> = {
  [PageKind.home]: [1, 0.5],
  [PageKind.hub]: [0.95, 0.55],
  [PageKind.listing]: [0.4, 0.3],
  [PageKind.category]: [0.7, 0.4],
  [PageKind.calendar]: [0, 0],
}
const OTHER_KINDS = [0.85, 1] as const

/** Latent relevance, 0 to 1: topic match × quality × kind of page. What judgments and clicks come from. */
export function relevance(web: ModelWeb, need: Need, page: number): number {
  const { pages, hosts } = web
  if (need.site) {
    const host = hosts[pages.host[page]]
    const here = host.domain === need.site || host.mirrorOf?.domain === need.site
    if (here && pages.kind[page] === PageKind.home) return host === need.site.hosts[0] ? 1 : 0.5
    return here ? 0.25 : 0
  }
  const main = match(web, need, pages.aspect[page])
  const side = 0.5 * match(web, need, pages.second[page])
  const [broad, narrow] = SERVES[pages.kind[page]] ?? OTHER_KINDS
  return Math.max(main, side) * (0.35 + 0.65 * pages.quality[page]) * (need.broad ? broad : narrow)
}

function match({ topics }: ModelWeb, need: Need, offered: number): number {
  if (need.broad && topicOf(need.aspect) === topicOf(offered)) return 1
  return closeness(topics, need.aspect, offered)
}
