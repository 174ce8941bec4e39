import type { Socket } from 'node:net'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type Random, seededRandom } from '#numeric/random.ts'
import { FLOODS } from './hostile-floods.test-kit.ts'

/** Writes one answer that no server should send; what it is like follows from `random`. */
type HostileResponse = (socket: Socket, random: Random) => void

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
const CODINGS = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: (body: Buffer) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  zstd: zstdCompressSync,
} as const
type Coding = keyof typeof CODINGS
const CODING_NAMES = Object.keys(CODINGS) as Coding[]

/** Every kind of mischief by name. */
export const HOSTILE_RESPONSES: Readonly<Record<string, HostileResponse>> = {
  ...FLOODS,
  silent: () => {},
  slowHeaders: (socket, random) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    drip(socket, () => `X-${random.below(1e6)}: 1\r\n`, 5 + random.below(40))
  },
  slowBody: (socket, random) => {
    socket.write(`${OK}\r\n<title>slow</title>`)
    drip(socket, () => 'w'.repeat(1 + random.below(9)), 5 + random.below(40))
  },
  slowChunks: (socket, random) => {
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
    drip(socket, () => '1\r\nx\r\n', 5 + random.below(40))
  },
  endlessBody: (socket, random) => {
    socket.write(`${OK}\r\n`)
    flood(socket, 'word '.repeat(100 + random.below(10_000)))
  },
  endlessChunks: (socket, random) => {
    const size = 1 + random.below(9_000)
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
    flood(socket, `${size.toString(16)}\r\n${'y'.repeat(size)}\r\n`)
  },
  endlessTrailers: (socket, random) => {
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`)
    flood(socket, `X-Trailer: ${'z'.repeat(random.below(2_000))}\r\n`)
  },
  chunkExtensions: (socket, random) => {
    socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`)
    flood(socket, `name=${'v'.repeat(1 + random.below(500))};`)
  },
  redirectToItself: (socket) => end(socket, redirect('/robots.txt')),
  redirectFurther: (socket, random) =>
    end(socket, redirect(`/again/${random.below(1e9)}?${'x'.repeat(random.below(300))}`)),
  redirectAstray: (socket, random) =>
    end(
      socket,
      redirect(
        random.pick([
          'javascript:alert(1)',
          'file:///etc/passwd',
          'http://',
          'http://[::1',
          '//\\evil',
          `/${'long'.repeat(8_000)}`,
          '\t\0',
          'data:text/html,x',
          'http://169.254.169.254/latest/meta-data/',
        ]),
      ),
    ),
  headerFlood: (socket, random) => {
    socket.write(OK)
    flood(socket, `X-${random.below(1e6)}: ${'y'.repeat(random.below(200))}\r\n`)
  },
  hugeHeader: (socket, random) => {
    socket.write(`${OK}X-Huge: `)
    flood(socket, 'h'.repeat(1 + random.below(30_000)))
  },
  hugeStatusText: (socket) => {
    socket.write('HTTP/1.1 200 ')
    flood(socket, 'O'.repeat(8_000))
  },
  cookieFlood: (socket, random) =>
    end(
      socket,
      `${OK}${'Set-Cookie: a=b\r\n'.repeat(random.below(3_000))}\r\n<title>cookies</title>`,
    ),
  linkHeaderFlood: (socket, random) =>
    end(
      socket,
      `${OK}Link: ${'</x>; rel="alternate"; hreflang=de, '.repeat(random.below(1_500))}\r\n\r\n<p>x`,
    ),
  badChunkSize: (socket, random) =>
    end(
      socket,
      `${OK}Transfer-Encoding: chunked\r\n\r\n${random.pick(['zz', '-1', 'ffffffffffffffffff', ' ', '0x10', '1 2'])}\r\nbody`,
    ),
  cutChunk: (socket, random) =>
    end(socket, `${OK}Transfer-Encoding: chunked\r\n\r\nfff\r\n${'x'.repeat(random.below(4_000))}`),
  bodyTooShort: (socket, random) =>
    end(socket, `${OK}Content-Length: ${1_000 + random.below(1e9)}\r\n\r\nshort`),
  bodyTooLong: (socket, random) =>
    socket.write(`${OK}Content-Length: 5\r\n\r\n12345${'6'.repeat(1 + random.below(60_000))}`),
  extraAnswers: (socket, random) =>
    socket.write(`${OK}Content-Length: 2\r\n\r\nok`.repeat(2 + random.below(50))),
  twoLengths: (socket) =>
    end(socket, `${OK}Content-Length: 5\r\nContent-Length: 9\r\n\r\n123456789`),
  lengthAndChunks: (socket) =>
    end(
      socket,
      `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    ),
  oddLength: (socket, random) =>
    end(
      socket,
      `${OK}Content-Length: ${random.pick(['-1', '1e3', 'many', '', '99999999999999999999', '0x9'])}\r\n\r\nbody`,
    ),
  invalidUtf8: (socket, random) => page(socket, garbage(random, 100 + random.below(100_000))),
  nulBytes: (socket, random) => page(socket, Buffer.alloc(1 + random.below(200_000))),
  nulInHeader: (socket) => end(socket, `${OK}X-Nul: a\0b\r\n\r\n<p>nul`),
  wrongCharset: (socket, random) => {
    const charset = random.pick([
      'utf-16',
      'utf-7',
      'no-such',
      'x-user-defined',
      '\u00ff',
      'gb18030',
    ])
    const type = `Content-Type: text/html; charset=${charset}`
    end(
      socket,
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\n${type}\r\n\r\n`, 'latin1'),
        garbage(random, 1 + random.below(5_000)),
      ]),
    )
  },
  hugeAttribute: (socket, random) =>
    page(
      socket,
      `<a href="/${'a'.repeat(100_000 + random.below(800_000))}" title='${'&amp;'.repeat(random.below(20_000))}'>x</a>`,
    ),
  manyAttributes: (socket, random) =>
    page(socket, `<div ${'a=1 '.repeat(10_000 + random.below(150_000))}>x</div>`),
  deepNesting: (socket, random) =>
    page(
      socket,
      `<${random.pick(['div', 'b', 'table', 'svg', 'a href=/x'])}>`.repeat(
        20_000 + random.below(60_000),
      ),
    ),
  neverClosed: (socket, random) =>
    page(
      socket,
      `${random.pick(['<!--', '<script>', '<textarea>', '<![CDATA[', '<title>', '<a href="', '</'])}${'x<'.repeat(random.below(300_000))}`,
    ),
  manyLinks: (socket, random) =>
    page(
      socket,
      Array.from({ length: 10_000 + random.below(20_000) }, (_, i) => `<a href=/${i}>`).join(''),
    ),
  entityFlood: (socket, random) =>
    page(socket, '&lt;&#x41;&nosuch;&#9999999999;'.repeat(random.below(25_000))),
  refreshLoop: (socket) => page(socket, '<meta http-equiv=refresh content="0;url=?">'.repeat(500)),
  ...perCoding(
    'bomb',
    (coding) => (socket, random) => packed(socket, coding, bomb(coding, 4 << random.below(4))),
  ),
  ...perCoding(
    'broken',
    (coding) => (socket, random) =>
      packed(socket, coding, garbage(random, 1 + random.below(20_000))),
  ),
  ...perCoding('cut', (coding) => (socket, random) => {
    const whole = CODINGS[coding](garbage(random, 5_000))
    packed(socket, coding, whole.subarray(0, 1 + random.below(whole.length - 1)))
  }),
  bombInBomb: (socket) => packed(socket, 'gzip, gzip', gzipSync(bomb('gzip', 32))),
  manyLayers: (socket, random) =>
    packed(
      socket,
      Array(2 + random.below(200))
        .fill('gzip')
        .join(', '),
      gzipSync('x'),
    ),
  lyingType: (socket, random) => {
    const magic = random.pick([
      '\x89PNG\r\n\x1a\n',
      '%PDF-1.7\n',
      'PK\x03\x04',
      '\x7fELF',
      'GIF89a',
    ])
    page(socket, Buffer.concat([Buffer.from(magic, 'latin1'), garbage(random, 10_000)]))
  },
  noType: (socket, random) =>
    end(socket, Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), garbage(random, 5_000)])),
  hugeUnwanted: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 9999999999\r\n\r\n')
    flood(socket, Buffer.alloc(60_000))
  },
  entityBomb: (socket, random) => {
    const levels = Array.from(
      { length: 3 + random.below(9) },
      (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`,
    )
    const xml = `<?xml version="1.0"?><!DOCTYPE urlset [<!ENTITY e0 "ha">${levels.join('')}]><urlset><url><loc>&e${levels.length};</loc></url></urlset>`
    end(socket, `HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n\r\n${xml}`)
  },
  outsideEntity: (socket) =>
    end(
      socket,
      `HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n\r\n<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><urlset><url><loc>&x;</loc></url></urlset>`,
    ),
  hugeSitemap: (socket, random) =>
    end(
      socket,
      `HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n<urlset>${'<url><loc>http://a.example/</loc></url>'.repeat(random.below(24_000))}`,
    ),
  deepJson: (socket, random) =>
    end(
      socket,
      `HTTP/1.1 200 OK\r\nContent-Type: application/feed+json\r\n\r\n${'{"items":['.repeat(1 + random.below(80_000))}`,
    ),
  garbageStatusLine: (socket, random) =>
    end(
      socket,
      `${random.pick(['HTTP/9.9 200 OK', 'HTTP/1.1', '200 OK', 'HTTP/1.1 abc OK', 'ICY 200 OK', 'SSH-2.0-OpenSSH_9.9', ''])}\r\n\r\n<p>x`,
    ),
  garbageBytes: (socket, random) => end(socket, garbage(random, 1 + random.below(5_000))),
  tlsOnPlainPort: (socket, random) =>
    end(
      socket,
      Buffer.concat([Buffer.from([21, 3, 1, 0, 2, 2, 40]), garbage(random, random.below(100))]),
    ),
  oldHttp: (socket) => end(socket, '<title>HTTP/0.9 has no head</title>'),
  bareLineFeeds: (socket) => end(socket, 'HTTP/1.1 200 OK\nContent-Type: text/html\n\n<p>bare'),
  foldedHeaders: (socket) => end(socket, `${OK}X-Folded: a\r\n b\r\n\tc\r\n\r\n<p>folded`),
  badHeaderNames: (socket, random) =>
    end(
      socket,
      `${OK}${random.pick(['X Y: 1', ': 1', 'X\x01: 1', 'no colon', '\x7f: 1', 'Ü: 1'])}\r\n\r\n<p>x`,
    ),
  oddStatus: (socket, random) =>
    end(
      socket,
      `HTTP/1.1 ${random.pick([0, 99, 199, 299, 399, 499, 599, 600, 999, 1000])} Odd\r\nContent-Length: 0\r\n\r\n`,
    ),
  unasked304: (socket) => end(socket, 'HTTP/1.1 304 Not Modified\r\n\r\n'),
  bodyWhereNone: (socket) =>
    end(socket, 'HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n<p>body..'),
  unaskedUpgrade: (socket) =>
    end(socket, 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  continueOnce: (socket) =>
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${OK}Content-Length: 2\r\n\r\nok`),
  slowContinue: (socket) => drip(socket, () => 'HTTP/1.1 102 Processing\r\n\r\n', 20),
  repeatedStatusLine: (socket) => flood(socket, OK),
  retryNextCentury: (socket) =>
    end(
      socket,
      'HTTP/1.1 503 Busy\r\nRetry-After: 99999999999999999999\r\nContent-Length: 0\r\n\r\n',
    ),
  halfClosed: (socket) => socket.end(),
  halfClosedInHead: (socket) => end(socket, 'HTTP/1.1 200 OK\r\nContent-Ty'),
  resetAtOnce: (socket) => socket.resetAndDestroy(),
  resetInBody: (socket, random) =>
    socket.write(`${OK}Content-Length: 9999\r\n\r\n${'x'.repeat(random.below(5_000))}`, () =>
      socket.resetAndDestroy(),
    ),
}

/** Kinds that only a timeout ends. */
export const SLOW_KINDS: ReadonlySet<string> = new Set([
  'silent',
  'slowHeaders',
  'slowBody',
  'slowChunks',
])

/** A hostile answer by its kind and seed, the same in every run. */
export function answerHostilely(socket: Socket, kind: string, seed: number): void {
  HOSTILE_RESPONSES[kind]!(socket, seededRandom(seed))
}

function perCoding(name: string, make: (coding: Coding) => HostileResponse) {
  return Object.fromEntries(CODING_NAMES.map((coding) => [`${name}-${coding}`, make(coding)]))
}

const bombs = new Map<string, Buffer>()
function bomb(coding: Coding, mebibytes: number): Buffer {
  const known = bombs.get(coding + mebibytes)
  if (known) return known
  const made = CODINGS[coding](Buffer.alloc(mebibytes << 20))
  bombs.set(coding + mebibytes, made)
  return made
}

function garbage(random: Random, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  for (let i = 0; i < bytes; i++) buffer[i] = random.below(256)
  return buffer
}

function redirect(location: string): string {
  return `HTTP/1.1 ${location.length % 2 ? 301 : 302} Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`
}

function page(socket: Socket, body: string | Buffer): void {
  const bytes = Buffer.from(body as string)
  socket.write(Buffer.concat([Buffer.from(`${OK}Content-Length: ${bytes.length}\r\n\r\n`), bytes]))
}

function packed(socket: Socket, coding: string, body: Buffer): void {
  socket.write(`${OK}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`)
  socket.write(body)
}

function end(socket: Socket, answer: string | Buffer): void {
  socket.end(typeof answer === 'string' ? Buffer.from(answer, 'latin1') : answer)
}

/** Writes for as long as somebody listens. */
function flood(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

/** Writes a little every few milliseconds: enough to look alive. */
function drip(socket: Socket, chunk: () => string, everyMs: number): void {
  const timer = setInterval(() => socket.write(chunk()), everyMs)
  socket.on('close', () => clearInterval(timer))
}
