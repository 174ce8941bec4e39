/**
 * Serves folders, each as a host at a loopback address of its own, and a slow host beside them: forked with their
 * names. Tells its parent where they are, then of every request once it is answered; ends with it.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Asked, type Place, steadyMs } from '../harness/served-crawl.ts'
import { hostOf, SITES_WITH_BAD_LINKS, SITES_WITH_SITEMAP, SLOW_HOST } from './hosts.ts'
import { type Answer, siteOf } from './site.ts'

const SLOW_MS = 3_000

const folders = process.argv.slice(2)
const places: Place[] = []
for (const [i, folder] of folders.entries())
  await serve(
    hostOf(i),
    siteOf(hostOf(i), folder, {
      hasSitemap: SITES_WITH_SITEMAP.includes(i),
      hasBadLinks: SITES_WITH_BAD_LINKS.includes(i),
    }),
  )
await serve(SLOW_HOST, slowPage, SLOW_MS)
process.send?.({ places })
process.on('disconnect', () => process.exit())

async function serve(host: string, site: (path: string) => Answer, ms = 0): Promise<void> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const at = steadyMs()
    const path = new URL(request.url ?? '/', `http://${host}`).pathname
    const answer = () => {
      const { status, type, body } = site(path)
      const asked: Asked = { host, path, at, endedAt: steadyMs(), status }
      process.send?.(asked)
      response.writeHead(status, { 'content-type': type }).end(body)
    }
    setTimeout(answer, ms)
  })
  const address = `127.10.0.${places.length + 1}`
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  places.push([host, `${address}:${(server.address() as AddressInfo).port}`])
}

/** Each page has links to ten others. */
function slowPage(path: string): Answer {
  if (!/^\/\d*$/.test(path)) return { status: 404, type: 'text/plain', body: '' }
  const page = Number(path.slice(1))
  const links = Array.from({ length: 10 }, (_, i) => {
    const target = page * 10 + i + 1
    return `<a href="/${target}">part ${target}</a>`
  })
  return { status: 200, type: 'text/html', body: `<title>Slow ${page}</title>${links.join(' ')}` }
}
