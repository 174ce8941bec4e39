import type { Random } from '#numeric/random.ts'
import type { BudgetWorld } from './world.ts'

/**
 * The pages held at the start, in the order of their fetches: those of a crawl that began at the seeds and took,
 * again and again, a URL it knew, at random. So they hang together as those of a real crawl do, and favour
 * no policy's order. If no URL is left, a page nobody links to is drawn.
 */
export function startingPages(world: BudgetWorld, share: number, random: Random): number[] {
  const { archive, pages, links, liveCounts, seeds } = world
  const wanted = Math.max(1, Math.round(share * liveCounts[0]))
  const isKnown = new Uint8Array(pages.archivePages.length)
  const open: number[] = []
  const know = (page: number) => {
    if (isKnown[page] === 0) open.push(page)
    isKnown[page] = 1
  }
  const strangers = random.shuffle(Array.from(pages.archivePages.keys()))
  for (const seed of seeds) know(seed)
  const held: number[] = []
  while (held.length < wanted) {
    if (open.length === 0) {
      const stranger = strangers.pop()
      if (stranger === undefined) break
      know(stranger)
      continue
    }
    const at = random.below(open.length)
    const page = open[at]
    open[at] = open[open.length - 1]
    open.pop()
    const version = world.versionAt(page, 0)
    if (version === undefined) continue
    held.push(page)
    archive.forEachLink(version, (link) => {
      if (links.pages[link] >= 0) know(links.pages[link])
    })
  }
  return held
}
