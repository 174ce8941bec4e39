import type { Random } from '#numeric/random.ts'
import type { ModelWebKnobs } from '../skeleton/knobs.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { capitalised } from '../skeleton/names.ts'
import { PageKind } from '../skeleton/pages.ts'
import { topicOf } from '../skeleton/topics.ts'
import { drawWord } from '../skeleton/vocabulary.ts'
import { siteName, targetUrl } from './addresses.ts'
import { randomFor, titleWords } from './text.ts'

/** The ways to word a link. A target has one anchor of each, so a link is (target, wording). */
export const Wording = {
  title: 0,
  titleStart: 1,
  topicWord: 2,
  topicWords: 3,
  long: 4,
  here: 5,
  more: 6,
  url: 7,
  empty: 8, // an image without a description
  label: 9, // as menus call it
  noise: 10, // words that have nothing to do with the target
  print: 11,
  next: 12,
  previous: 13,
  number: 14,
  site: 15,
} as const
export const WORDINGS = 16

/** Anchors that are the same for every target. */
export const FIXED_ANCHORS: Readonly<Record<number, string>> = {
  [Wording.here]: 'here',
  [Wording.more]: 'read more',
  [Wording.empty]: '',
  [Wording.print]: 'Print',
  [Wording.next]: 'Next',
  [Wording.previous]: 'Previous',
}

/** A wording for a link in running text, by the shares of the knobs. */
export function drawWording(random: Random, anchors: ModelWebKnobs['anchors']): number {
  const total = Object.values(anchors).reduce((sum, share) => sum + share, 0)
  let left = random.next() * total
  for (const [name, share] of Object.entries(anchors)) {
    left -= share
    if (left >= 0) continue
    if (name === 'generic') return random.chance(0.5) ? Wording.here : Wording.more
    return Wording[name as keyof typeof Wording]
  }
  return Wording.title
}

/** The text of a link to `target` in the given wording. */
export function anchorText(web: ModelWeb, target: number, wording: number): string {
  const fixed = FIXED_ANCHORS[wording]
  if (fixed !== undefined) return fixed
  if (wording === Wording.url) return targetUrl(web, target).replace('http://', '')
  if (target >= web.pages.count) return web.extras[target - web.pages.count].label
  const { pages, hosts, topics, vocabulary } = web
  const page = pages.textOf[target]
  const host = hosts[pages.host[target]]
  const random = randomFor(web, page, 4 + wording)
  const words = (ids: number[]) => ids.map((word) => vocabulary.words[word]).join(' ')
  const { aspect } = pages
  switch (wording) {
    case Wording.label:
      return labelOf(web, target)
    case Wording.number:
      return `${pages.ordinal[target] + 1}`
    case Wording.site:
      return siteName(host)
    case Wording.titleStart:
      return capitalised(words(titleWords(web, page).slice(0, 2)))
    case Wording.topicWord:
      return words([drawWord(topics.aspectWords[aspect[page]], random.next)])
    case Wording.topicWords:
      return words([
        drawWord(topics.topicWords[topicOf(aspect[page])], random.next),
        drawWord(topics.aspectWords[aspect[page]], random.next),
      ])
    case Wording.noise:
      return words([
        drawWord(vocabulary.background, random.next),
        drawWord(vocabulary.background, random.next),
      ])
    case Wording.long:
      return `${titleOf(web, page)} on ${siteName(host)}, with ${words([drawWord(topics.topicWords[topicOf(aspect[page])], random.next)])}`
    default:
      return titleOf(web, page)
  }
}

/** The title a page shows. */
export function titleOf(web: ModelWeb, page: number): string {
  const { pages, hosts, vocabulary } = web
  const site = siteName(hosts[pages.host[page]])
  const kind = pages.kind[page]
  if (kind === PageKind.hub) return `${labelOf(web, page)} - ${site}`
  if (kind === PageKind.listing)
    return `${labelOf(web, page)}, page ${pages.ordinal[page] + 1} - ${site}`
  if (kind === PageKind.calendar) return `Calendar, month ${pages.ordinal[page] + 1} - ${site}`
  const words = titleWords(web, page).map((word) => vocabulary.words[word])
  return kind === PageKind.home ? `${site}: ${words.join(' ')}` : capitalised(words.join(' '))
}

/** What menus call a page. */
export function labelOf(web: ModelWeb, page: number): string {
  const { pages, sections } = web
  const kind = pages.kind[page]
  if (kind === PageKind.home) return 'Home'
  if (kind === PageKind.calendar) return 'Calendar'
  return capitalised(sections[pages.section[page]]?.slug ?? 'more')
}
