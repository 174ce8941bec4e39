import {
  ADVERSARIAL_JSON_FEEDS,
  ADVERSARIAL_LISTS,
  ADVERSARIAL_PAGES,
  ADVERSARIAL_TEXTS,
  LIST_BYTES,
  PAGE_BYTES,
} from '#parse/adversarial-documents.test-kit.ts'
import { parsePage } from '#parse/parse-page.ts'

const ROUNDS = 3

/** The document, of all that were made to be slow, that takes longest to parse at the largest size let in. */
export function slowestDocument(): { readonly name: string; readonly ms: number } {
  const pages = [...ADVERSARIAL_PAGES, ...ADVERSARIAL_JSON_FEEDS, ...ADVERSARIAL_TEXTS]
  const timed = [
    ...pages.map((document) => parsed(document, PAGE_BYTES)),
    ...ADVERSARIAL_LISTS.map((document) => parsed(document, LIST_BYTES)),
  ]
  return timed.reduce((slowest, next) => (next.ms > slowest.ms ? next : slowest))
}

/** The best of some rounds: others may have the machine meanwhile. */
function parsed({ name, contentType, body }: (typeof ADVERSARIAL_PAGES)[number], bytes: number) {
  const document = body(bytes)
  let ms = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    parsePage(document, contentType, 'https://slow.test/')
    ms = Math.min(ms, performance.now() - startedAt)
  }
  return { name, ms: Math.round(ms) }
}
