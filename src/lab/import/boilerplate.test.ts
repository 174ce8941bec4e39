import fc from 'fast-check'
import { expect, test } from 'vitest'
import { staysLinear } from '#numeric/stays-linear.test-kit.ts'
import { parseHtml } from '#parse/html/html.ts'
import { boilerplateBlocks } from './boilerplate.ts'
import { ImportedWeb } from './imported-web.ts'
import { type PageHistory, pageHistories } from './page-histories.ts'

const urlOf = (page: number) => `https://a.example/${page}`

/** A page with these lines was seen at a snapshot; without lines it was gone. */
type Seen = readonly [snapshot: number, page: number, lines: readonly string[] | null]

function webOf(seen: readonly Seen[], snapshots: number) {
  const web = new ImportedWeb()
  for (const [at, page, lines] of seen) {
    const url = urlOf(page)
    const html = lines?.map((line) => `<p>${line}</p>`).join('')
    if (html === undefined) web.add({ kind: 'gone', url, at })
    else web.add({ kind: 'page', url, at, page: parseHtml(html, url) })
  }
  return { web, histories: pageHistories(web, (at) => at, snapshots) }
}

/** The same by the words of its definition: counted anew at every snapshot. */
function naively(web: ImportedWeb, histories: readonly PageHistory[], snapshots: number): string[] {
  const marked = new Set<string>()
  for (let snapshot = 0; snapshot < snapshots; snapshot++) {
    const live = histories.flatMap(({ spans }) =>
      spans.filter(([first, last]) => first <= snapshot && snapshot <= last),
    )
    const counts = new Map<number, number>()
    for (const [, , content] of live) {
      const { blocks: runs } = web.contents[content]
      const blocks = new Set<number>()
      for (let at = 0; at < runs.length; at += 2)
        for (let block = runs[at]; block < runs[at] + runs[at + 1]; block++) blocks.add(block)
      for (const block of blocks) counts.set(block, (counts.get(block) ?? 0) + 1)
    }
    for (const [block, count] of counts)
      if (count >= 10 && count >= live.length / 10) marked.add(web.blocks.at(block))
  }
  return [...marked].sort()
}

test('marks the blocks that once stood on a tenth of the pages, and on ten at least', () => {
  const line = fc.constantFrom('menu', 'foot', 'side', 'rare')
  const lines = fc.option(fc.array(line, { maxLength: 3 }), { freq: 4 })
  const seen = fc.tuple(fc.nat(3), fc.nat(120), lines)
  fc.assert(
    fc.property(fc.array(seen, { minLength: 100, maxLength: 250, size: 'max' }), (all) => {
      const { web, histories } = webOf(all, 4)
      const marked = boilerplateBlocks(web, histories)
      const texts = Array.from(marked, (mark, block) => (mark ? web.blocks.at(block) : ''))
      expect(texts.filter(Boolean).sort()).toEqual(naively(web, histories, 4))
    }),
    { numRuns: 50 },
  )
})

test('many blocks and many snapshots add up, and do not multiply', async () => {
  const makeWeb = (size: number) => {
    const shared = Array.from({ length: size }, (_, i) => `line ${i}`)
    const many = Array.from(
      { length: 110 },
      (_, page) => [0, page, page < 10 ? shared : ['x']] as const,
    )
    const one = Array.from({ length: size }, (_, i) => [i, 200, [`news ${i}`]] as const)
    return webOf([...many, ...one], size)
  }
  await staysLinear(makeWeb, ({ web, histories }) => boilerplateBlocks(web, histories), {
    size: 500,
  })
})
