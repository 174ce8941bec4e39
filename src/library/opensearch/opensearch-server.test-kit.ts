import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { bm25, type Scoring } from '#search/full-text/scoring.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { analyser } from '#search/text/analysis.ts'

/** BM25 over the text alone, as Lucene has it by default. */
export const ONE_FIELD: Scoring = bm25({
  ...{ k1: 1.2, fieldWeights: [0, 0, 0, 1], lengthShares: [0, 0, 0, 0.75] },
  coverage: () => 1,
})

interface Stored {
  readonly version: number
  readonly document?: Record<string, string>
  readonly number: number
}

type Answer = readonly [status: number, body: object]

/** The parts of OpenSearch's HTTP interface that are spoken here, with its rules for external versions. */
export class OpenSearchDouble {
  readonly docs = new Map<string, Stored>()
  readonly index = new TextIndex(analyser({ stemming: false }))
  readonly requests: string[] = []
  isMade = false
  /** What other indices hold. */
  others: Record<string, { _source: object }[]> = {}
  /** So many requests are answered with 503 first. */
  failures = 0
  /** So many writes are put off with 429 first. */
  busyWrites = 0

  answer(method: string, path: string, body: string): Answer {
    this.requests.push(`${method} ${path.split('?')[0]}`)
    if (this.failures-- > 0) return [503, { error: 'not yet' }]
    if (path.endsWith('_search/scroll')) return [200, { hits: { hits: [] } }]
    const scrolled = /^\/(\w+)\/_search\?scroll/.exec(path)?.[1]
    if (scrolled) return [200, { _scroll_id: 's', hits: { hits: this.others[scrolled] ?? [] } }]
    if (path.endsWith('/_bulk')) return [200, this.#bulk(body.split('\n'))]
    if (path.includes('/_msearch')) return [200, this.#searches(body.split('\n'))]
    if (path.endsWith('/_refresh')) return [this.isMade ? 200 : 404, {}]
    if (method === 'HEAD') return [this.isMade ? 200 : 404, {}]
    this.isMade = true
    return [200, { acknowledged: true }]
  }

  #bulk(lines: readonly string[]): object {
    const items: object[] = []
    for (let i = 0; i < lines.length && lines[i] !== ''; i++) {
      const [[action, head]] = Object.entries<{ _id: string; version: number }>(
        JSON.parse(lines[i]),
      )
      const document = action === 'index' ? JSON.parse(lines[++i]) : undefined
      items.push({
        [action]: { _id: head._id, status: this.#write(head._id, head.version, document) },
      })
    }
    return { errors: false, items }
  }

  #write(id: string, version: number, document: Stored['document']): number {
    if (this.busyWrites-- > 0) return 429
    const before = this.docs.get(id)
    if (before && before.version >= version) return 409
    const number = before?.number ?? this.docs.size
    this.docs.set(id, { version, document, number })
    if (document)
      this.index.replace(number, { url: '', title: '', text: document.text ?? '', anchors: [] })
    else this.index.remove(number)
    return before?.document ? 200 : document ? 201 : 404
  }

  #searches(lines: readonly string[]): object {
    const bodies = lines.filter((_, i) => i % 2 === 1).map((line) => JSON.parse(line))
    const byNumber = new Map(
      [...this.docs].map(([id, stored]) => [stored.number, [id, stored] as const]),
    )
    const responses = bodies.map(({ size, query: { multi_match, bool } }) => {
      const asked = this.index.prepare((multi_match ?? bool.must[0].multi_match).query, ONE_FIELD)
      const wanted = bool && new Set(bool.filter[0].ids.values)
      const hits = this.index.search(asked, this.docs.size).flatMap(({ url, score }) => {
        const [id, { document }] = byNumber.get(url)!
        if (wanted && !wanted.has(id)) return []
        return { _id: id, _score: score, fields: { url: [document!.url] } }
      })
      return { hits: { hits: hits.slice(0, size) } }
    })
    return { responses }
  }
}

/** Such a server on a free port. */
export async function startOpenSearchDouble() {
  const double = new OpenSearchDouble()
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const [status, answer] = double.answer(method, url, await text(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { double, address: `opensearch://127.0.0.1:${port}/pages`, [Symbol.dispose]: close }
}
