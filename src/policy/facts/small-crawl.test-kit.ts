import { Frontier } from '#frontier/frontier.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'

const SUBJECTS = ['red kite', 'blue kite', 'kite string', 'red otter', 'otter food', 'sea otter']
export const QUERIES = SUBJECTS.map((text, i) => ({ text, weight: i + 1 }))

/** A crawl of pages that each link to the next few, calling them by their subjects. */
export function smallCrawl() {
  const frontier = new Frontier()
  const index = new TextIndex(defaultAnalyser)
  const addressOf = (page: number) => `https://kites.org/${page % 2 ? 'a' : 'b'}/${page}`
  const subjectOf = (page: number) => SUBJECTS[page % SUBJECTS.length]
  frontier.add(addressOf(0), 'seed', 0, 1)
  const fetch = (page: number): number => {
    const url = frontier.urls.find(addressOf(page))!
    const next = [1, 2, 3].map((step) => page + step)
    frontier.links.replace(url, {
      targets: Uint32Array.from(next, (one) => frontier.add(addressOf(one), 'link', 1, 1)),
      anchors: Uint32Array.from(next, (one) => frontier.links.anchors.add(subjectOf(one))),
      rels: new Uint8Array(next.length),
    })
    frontier.visit(url, { state: 'page', at: 2, contentKey: 0xabcdefabcdefa })
    const subject = subjectOf(page)
    const content = {
      url: addressOf(page),
      title: subject,
      text: `${subject} ${page}`,
      anchors: [],
    }
    index.replace(url, content)
    return url
  }
  return { frontier, index, fetch }
}
