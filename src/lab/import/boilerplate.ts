import { hostOf } from '#parse/url/canonical-url.ts'
import type { ImportedWeb } from './imported-web.ts'
import type { PageHistory } from './page-histories.ts'

const FEWEST_PAGES = 10
const LEAST_SHARE = 0.1

/** Marks the blocks that at some snapshot stood on a tenth of a host's pages, and on ten at least. */
export function boilerplateBlocks(web: ImportedWeb, histories: readonly PageHistory[]): Uint8Array {
  const marked = new Uint8Array(web.blocks.size)
  const byHost = Map.groupBy(histories, ({ page }) => hostOf(web.urls.at(page)))
  for (const ofHost of byHost.values()) markHost(web, ofHost, marked)
  return marked
}

/** Follows one host through the snapshots, counting on how many of its pages a block stands. */
function markHost(web: ImportedWeb, histories: readonly PageHistory[], marked: Uint8Array): void {
  if (histories.length < FEWEST_PAGES) return
  const changes: { snapshot: number; content: number; by: 1 | -1 }[] = []
  for (const { spans } of histories)
    for (const [first, last, content] of spans) {
      changes.push({ snapshot: first, content, by: 1 })
      changes.push({ snapshot: last + 1, content, by: -1 })
    }
  changes.sort((a, b) => a.snapshot - b.snapshot)
  const counts = new BlockCounts(marked)
  let live = 0
  changes.forEach(({ snapshot, content, by }, i) => {
    live += by
    for (const block of blocksOf(web, content)) counts.add(block, by)
    if (changes[i + 1]?.snapshot !== snapshot)
      counts.markFrom(Math.max(FEWEST_PAGES, live * LEAST_SHARE))
  })
}

/** On how many pages each block stands now, so that the most frequent are found without a look at others. */
class BlockCounts {
  readonly #counts = new Map<number, number>()
  /** Blocks not marked yet, by their count. */
  readonly #blocksAt: (Set<number> | undefined)[] = []
  readonly #marked: Uint8Array

  constructor(marked: Uint8Array) {
    this.#marked = marked
  }

  add(block: number, by: 1 | -1): void {
    const before = this.#counts.get(block) ?? 0
    const count = before + by
    this.#counts.set(block, count)
    if (this.#marked[block]) return
    this.#blocksAt[before]?.delete(block)
    this.#blocksAt[count] ??= new Set()
    this.#blocksAt[count].add(block)
  }

  /** Marks the blocks that stand on so many pages or more; they are not looked at again. */
  markFrom(pages: number): void {
    while (this.#blocksAt.length - 1 >= pages)
      for (const block of this.#blocksAt.pop() ?? []) this.#marked[block] = 1
  }
}

/** Each block of a content once. */
function blocksOf(web: ImportedWeb, content: number): Set<number> {
  const blocks = new Set<number>()
  const runs = web.contents[content].blocks
  for (let at = 0; at < runs.length; at += 2)
    for (let block = runs[at]; block < runs[at] + runs[at + 1]; block++) blocks.add(block)
  return blocks
}
