import { IndexStore } from '#repository/text-index/index-store.ts'
import { defaultAnalyser, defaultScoring } from '#search/default-search.ts'
import { readQueries } from './index-corpus.ts'

const dir = process.argv[2]
const index = new IndexStore(dir + '/ix').load(defaultAnalyser)
const qs = readQueries(dir)
console.log(
  index.segments.map((s) => [s.segment.urls.length, s.segment.places.length]),
  index.terms.size,
)
for (let r = 0; r < 2; r++) for (const q of qs) index.search(index.prepare(q, defaultScoring), 10)
const rows = qs.map((q) => {
  const t = performance.now()
  for (let i = 0; i < 5; i++) index.search(index.prepare(q, defaultScoring), 10)
  const ms = (performance.now() - t) / 5
  const pq = index.prepare(q, defaultScoring)
  let posts = 0
  for (const t of pq.terms)
    for (const { segment } of index.segments) {
      const r = segment.terms.indexOf(t)
      if (r >= 0) posts += segment.offsets[r + 1] - segment.offsets[r]
    }
  return { q, n: pq.terms.length, ms, posts, ns: (ms * 1e6) / posts }
})
const by = (f: any) => rows.filter(f)
for (const n of [1, 2, 3]) {
  const g = by((r: any) => r.n === n)
  const s = (k: 'ms' | 'posts') => g.reduce((a, b) => a + b[k], 0)
  console.log(
    n,
    g.length,
    'mean ms',
    s('ms') / g.length,
    'mean postings',
    s('posts') / g.length,
    'ns/posting',
    (s('ms') * 1e6) / s('posts'),
  )
}
rows.sort((a, b) => b.ms - a.ms)
console.log(rows.slice(0, 8))
console.log(
  'total ms',
  rows.reduce((a, b) => a + b.ms, 0),
)
