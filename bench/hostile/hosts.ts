import type { Socket } from 'node:net'
import { FLOODS } from '#fetch/hostile-floods.test-kit.ts'
import { answerHostilely, HOSTILE_RESPONSES } from '#fetch/hostile-responses.test-kit.ts'
import { HTTP2_FLOODS } from '#fetch/http2-floods.test-kit.ts'
import {
  ADVERSARIAL_JSON_FEEDS,
  ADVERSARIAL_LISTS,
  ADVERSARIAL_PAGES,
  ADVERSARIAL_TEXTS,
  PAGE_BYTES,
} from '#parse/adversarial-documents.test-kit.ts'
import { ADVERSARIAL_ROBOTS, ROBOTS_TXT_BYTES } from '#parse/adversarial-robots.test-kit.ts'

/** Requests that one hostile host can get: its home page links to so many others. */
const PAGES_EACH = 5
const FARM_HOSTS = 10_000

/** Answers a request, whose head it is given, as no server should. */
export interface HostileHost {
  /** What it does; the name of the host is made from its number. */
  readonly kind: string
  readonly answer: (socket: Socket, path: string) => void
}

/** Every kind of hostile host, each kind so many times. */
export function hostileHosts(times: number): HostileHost[] {
  return Array.from({ length: times }, () => KINDS).flat()
}

/** Names of hosts that flood in HTTP/2, each kind so many times; a name begins with what its host does. */
export function http2HostNames(times: number): string[] {
  const kinds = Array.from({ length: times }, () => Object.keys(HTTP2_FLOODS)).flat()
  return kinds.map((kind, i) => `${kind.toLowerCase()}.hostile-http2-${i}.test`)
}

/** A loopback address for each. */
export function hostileAddress(number: number): string {
  return `127.2.${Math.floor(number / 250)}.${(number % 250) + 1}`
}

export function answerAsHostileHost(host: HostileHost, socket: Socket, head: string): void {
  host.answer(socket, /^GET (\S+) /.exec(head)?.[1] ?? '/')
}

const documents = [
  ...ADVERSARIAL_PAGES,
  ...ADVERSARIAL_LISTS,
  ...ADVERSARIAL_JSON_FEEDS,
  ...ADVERSARIAL_TEXTS,
]

/** Floods that a crawl has met are sent by several hosts at once. */
const FLOODS_EACH = 12

const KINDS: readonly HostileHost[] = [
  ...Object.keys(HOSTILE_RESPONSES).map((kind) =>
    pagesOf(kind, (s) => answerHostilely(s, kind, 1)),
  ),
  ...['endlessBody', 'slowBody', 'silent', 'headerFlood'].map((kind) =>
    robotsOf(`robots.txt: ${kind}`, (socket) => answerHostilely(socket, kind, 1)),
  ),
  ...Array.from({ length: FLOODS_EACH }, () => pagesOf('oneByteChunks', FLOODS.oneByteChunks)),
  ...documents.map((each) => pagesOf(each.name, (socket) => send(socket, each, PAGE_BYTES))),
  ...ADVERSARIAL_ROBOTS.map((each) =>
    robotsOf(each.name, (socket) => send(socket, each, ROBOTS_TXT_BYTES)),
  ),
  pagesOf('a page that links to a farm', (socket) => sendPage(socket, farmLinks)),
  pagesOf('an endless sitemap index', (socket) => sendSitemapIndex(socket)),
]

/** A host that is hostile in every page, and has a harmless robots.txt. */
function pagesOf(kind: string, hostile: (socket: Socket) => void): HostileHost {
  return {
    kind,
    answer: (socket, path) => {
      if (path === '/robots.txt') sendNotFound(socket)
      else if (path === '/') sendPage(socket, links)
      else hostile(socket)
    },
  }
}

/** A host that is hostile in its robots.txt. */
function robotsOf(kind: string, hostile: (socket: Socket) => void): HostileHost {
  return {
    kind,
    answer: (socket, path) => {
      if (path === '/robots.txt') hostile(socket)
      else sendPage(socket, links)
    },
  }
}

const links = Array.from({ length: PAGES_EACH }, (_, i) => `<a href="/${i + 1}">more</a>`).join(' ')
const farmLinks = Array.from(
  { length: FARM_HOSTS },
  (_, i) => `<a href="http://www.farm-${i}.test/">offer ${i}</a>`,
).join(' ')

function sendNotFound(socket: Socket): void {
  socket.write('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
}

function sendPage(socket: Socket, body: string): void {
  sendBody(socket, 'text/html', Buffer.from(body))
}

let sitemaps = 0
function sendSitemapIndex(socket: Socket): void {
  const entries = Array.from(
    { length: 50 },
    () => `<sitemap><loc>/${++sitemaps}.xml</loc></sitemap>`,
  )
  sendBody(socket, 'application/xml', Buffer.from(`<sitemapindex>${entries.join('')}`))
}

type Document = (typeof documents)[number]

/** Made once: what a hostile host's own CPU does must not slow down others in this measurement. */
const bodies = new Map<Document, Buffer>()
function send(socket: Socket, document: Document, bytes: number): void {
  const body = bodies.get(document) ?? document.body(bytes)
  bodies.set(document, body)
  sendBody(socket, document.contentType, body)
}

function sendBody(socket: Socket, contentType: string, body: Buffer): void {
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  socket.write(body)
}
