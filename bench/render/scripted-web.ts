import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { replayAnswer } from '#lab/replay/replay.ts'
import { hash32 } from '#numeric/hash.ts'
import { urlClass } from '#parse/url/url-class.ts'

const APP = '/_app.js'
const CONTENT = '/_content'
/** Sites' own pages have scripts too, which change nothing that is read. */
const COUNTER = '<script>window.visits = (window.visits || 0) + 1</script>'
/** What an application sends for every address: its scripts ask for the rest. */
export const SHELL = `<!doctype html><html><head><meta charset="utf-8"><title>Loading</title></head><body><div id="root"></div>
<noscript>You need to enable JavaScript to run this app.</noscript><script src="${APP}"></script></body></html>`
const SCRIPT = `fetch('${CONTENT}?' + new URLSearchParams({ of: location.pathname + location.search }))
  .then((answer) => answer.json())
  .then(({ title, body }) => {
    document.title = title
    document.getElementById('root').innerHTML = body
  })
// ${'what a framework brings along '.repeat(1_000)}`

/** A recorded web over HTTP in which pages are built by scripts. */
export interface ScriptedWeb {
  readonly port: number
  /** The share of the pages asked for that need scripts. */
  scriptedShare(): number
  close(): Promise<void>
}

/**
 * Which pages show nothing unless their scripts run: a third. It goes by class of URL, as sites are built: of a class all
 * pages are likely to be, few, or none.
 */
export function needsScripts(url: string, seed: number): boolean {
  const chance = (hash32(`${seed} ${urlClass(url)}`) / 2 ** 32) ** 2 // a third on average
  return hash32(`${seed} page ${url}`) / 2 ** 32 < chance
}

/** Serves the last snapshot of an archive as a site whose pages need their scripts in part. */
export async function serveScripted(archive: Archive, seed: number): Promise<ScriptedWeb> {
  const web = new RecordedWeb(archive, archive.snapshotCount - 1)
  const isScriptedBy = new Map<string, boolean>()
  const isScripted = (url: string) => {
    const known = isScriptedBy.get(url)
    if (known !== undefined) return known
    const isSo = needsScripts(url, seed)
    isScriptedBy.set(url, isSo)
    return isSo
  }
  const answerTo = (host: string, path: string, headers: IncomingMessage['headers']) =>
    replayAnswer({ method: 'GET', path, headers, host }, web)
  const server = createServer((request, response) => {
    const { url: path = '/', headers } = request
    const host = headers.host ?? ''
    if (path === APP) return send(response, 200, 'text/javascript', SCRIPT)
    if (path.startsWith(CONTENT)) {
      const of = new URL(path, 'http://any').searchParams.get('of') ?? '/'
      return sendContent(response, answerTo(host, of, {}))
    }
    const answer = answerTo(host, path, headers)
    const type = String(answer.headers['content-type'] ?? '')
    const isPage = answer.status === 200 && type.startsWith('text/html')
    if (isPage && isScripted(`https://${host}${path}`)) return send(response, 200, type, SHELL)
    response.writeHead(answer.status, answer.headers)
    const body = isPage ? answer.body.replace('</body>', `${COUNTER}</body>`) : answer.body
    response.end(answer.status === 304 ? undefined : body)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    scriptedShare: () => {
      const all = [...isScriptedBy.values()]
      return all.filter((isSo) => isSo).length / all.length
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendContent(response: ServerResponse, { status, body }: ReturnType<typeof replayAnswer>) {
  const title = /<title>([\s\S]*?)<\/title>/i.exec(body)?.[1] ?? ''
  const inner = /<body[^>]*>([\s\S]*)<\/body>/i.exec(body)?.[1] ?? body
  send(response, status, 'application/json', JSON.stringify({ title, body: inner }))
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
