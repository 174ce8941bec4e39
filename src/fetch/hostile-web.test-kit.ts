import { createServer, type Server, type Socket } from 'node:net'
import type { Fetcher, FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { seededRandom } from '#numeric/random.ts'
import { answerHostilely, HOSTILE_RESPONSES } from './hostile-responses.test-kit.ts'
import { answersTo } from './scripted-server.test-kit.ts'

const KINDS = Object.keys(HOSTILE_RESPONSES)

/** Requests to a web where most hosts are hostile, in mixed order; the id tells which is which. */
interface HostileWeb {
  readonly requests: readonly FetchRequest[]
  /** What answers each hostile request, by id; healthy ones follow after the last of these. */
  readonly kinds: readonly string[]
}

interface HostileWebSize {
  readonly responses: number
  readonly healthyHosts: number
  readonly healthyPages: number
  readonly seed: number
}

/** A web of so many hostile hosts, every tenth hostile in its robots.txt already, among healthy ones. */
export function hostileWeb(size: HostileWebSize): HostileWeb {
  const { responses, healthyHosts, healthyPages, seed } = size
  const random = seededRandom(seed)
  const kinds = Array.from({ length: responses }, (_, i) => KINDS[i % KINDS.length]!)
  const hostile = kinds.map((kind, id) => {
    const place = random.chance(0.1) ? 'robots' : 'page'
    const host = `${place}-${KINDS.indexOf(kind)}-${random.below(1e9)}.example`
    return { id, url: `http://${host}/`, priority: 0 }
  })
  const healthy = Array.from({ length: healthyHosts * healthyPages }, (_, i) => ({
    id: responses + i,
    url: `http://healthy-${i % healthyHosts}.example/${Math.floor(i / healthyHosts)}`,
    priority: 0,
  }))
  return { requests: random.shuffle([...hostile, ...healthy]), kinds }
}

/** The server behind all hosts of such a web. */
export function hostileServer(): Server {
  return createServer((socket) => {
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received += data.toString('latin1')
      if (!received.includes('\r\n\r\n')) return
      answer(socket, received)
      received = ''
    })
  })
}

function answer(socket: Socket, head: string): void {
  const isRobots = head.startsWith('GET /robots.txt ')
  const hostile = /^host: (page|robots)-(\d+)-(\d+)\.example/im.exec(head)
  if (hostile && isRobots === (hostile[1] === 'robots'))
    answerHostilely(socket, KINDS[Number(hostile[2])]!, Number(hostile[3]))
  else if (isRobots) socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
  else {
    const body = '<!doctype html><title>healthy</title><p>All is well.'
    const headers = `Content-Type: text/html\r\nContent-Length: ${body.length}\r\n`
    socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n${body}`)
  }
}

interface HostileCrawl {
  /** Every outcome that came, in order of arrival, without its content. */
  readonly outcomes: readonly Pick<FetchOutcome, 'id' | 'kind'>[]
  /** Healthy pages that arrived whole. */
  readonly healthyPages: number
  /** Requests that got none, though there was time enough. */
  readonly hung: number
  /** Requests that got more than one. */
  readonly doubled: number
  /** When the last healthy page arrived, and when the last outcome did. */
  readonly healthySeconds: number
  /** The longest that a healthy host's answer took, once it was asked. */
  readonly healthySlowestMs: number
  readonly seconds: number
}

/** Fetches it all, until every request has its outcome or the time is over. */
export async function crawlHostileWeb(
  { requests, kinds }: HostileWeb,
  fetcher: Fetcher,
  patienceSeconds: number,
): Promise<HostileCrawl> {
  const startedAt = performance.now()
  const elapsed = () => (performance.now() - startedAt) / 1000
  const stop = AbortSignal.timeout(patienceSeconds * 1000)
  const outcomes: Pick<FetchOutcome, 'id' | 'kind'>[] = []
  let healthyPages = 0
  const answered = new Set<number>()
  let doubled = 0
  let healthySeconds = 0
  let healthySlowestMs = 0
  for await (const outcome of untilStopped(answersTo(fetcher, requests, stop), stop)) {
    if (answered.has(outcome.id)) doubled++
    answered.add(outcome.id)
    outcomes.push({ id: outcome.id, kind: outcome.kind })
    if (outcome.id < kinds.length) continue
    healthySeconds = elapsed()
    healthySlowestMs = Math.max(healthySlowestMs, outcome.ms)
    if (outcome.kind === 'page' && outcome.page.title === 'healthy') healthyPages++
  }
  const hung = requests.length - answered.size
  return {
    outcomes,
    healthyPages,
    hung,
    doubled,
    healthySeconds,
    healthySlowestMs,
    seconds: elapsed(),
  }
}

/** A fetcher that hangs would not even end when it is told to. */
async function* untilStopped(
  outcomes: AsyncIterable<FetchOutcome>,
  stop: AbortSignal,
): AsyncGenerator<FetchOutcome, void, undefined> {
  let giveUp: (() => void) | undefined
  stop.addEventListener('abort', () => setTimeout(() => giveUp?.(), 5_000), { once: true })
  const iterator = outcomes[Symbol.asyncIterator]()
  while (true) {
    // No race with one long-lived promise: that would keep every outcome in memory.
    const next = await new Promise<IteratorResult<FetchOutcome, void> | undefined>(
      (resolve, reject) => {
        giveUp = () => resolve(undefined)
        iterator.next().then(resolve, reject)
      },
    )
    if (!next || next.done) return
    yield next.value
  }
}
