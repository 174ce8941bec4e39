import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site on this machine that answers each path as told, for all hosts; anything else is a 404. */
export async function startScriptedSite(
  answers: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>,
) {
  const asked: { url: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    const { url: path = '/', headers } = request
    asked.push({ url: `http://${headers.host}${path}`, headers })
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    resolve: `*=127.0.0.1:${port}`,
    asked,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Answers with an HTML page. */
export function html(text: string, headers: Record<string, string> = {}) {
  return (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(text)
  }
}
