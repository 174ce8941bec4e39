/**
 * Fetches every page of the written site once and throws it away: `node fetch-all.mjs PAGES HOSTS PORT`. With
 * Node's own client, connections kept open, 64 at a time.
 */
import http from 'node:http'

const [pages, hosts, port] = process.argv.slice(2).map(Number)
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
let next = 0
let fetched = 0

async function fetchOn() {
  while (next < pages) {
    const page = next++
    const path = page === 0 ? '/' : `/section-${page % 37}/article-${page}.html`
    const headers = { host: `www.bench${page % hosts}.test` }
    await new Promise((resolve, reject) => {
      const request = http.get({ host: '127.0.0.1', port, path, headers, agent }, (response) => {
        if (response.statusCode === 200) fetched++
        response.resume().on('end', resolve)
      })
      request.on('error', reject)
    })
  }
}

await Promise.all(Array.from({ length: 64 }, fetchOn))
agent.destroy()
console.log(JSON.stringify({ pages: fetched }))
