import { expect, test } from 'vitest'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import {
  fetcherTo,
  type Respond,
  requestsFor,
  scriptedServer,
} from '../scripted-server.test-kit.ts'
import type { Render } from './renderer.ts'

const site: Respond = ({ url = '' }, response) => {
  response.setHeader('content-type', 'text/html')
  if (url === '/robots.txt' || url === '/gone') response.writeHead(404).end()
  else response.end('<div id=root></div><script src=x></script>')
}
const USED = { requests: 1, refused: 0, bytes: 10, ms: 5 }
const written: Render = async () => ({ dom: Buffer.from(`<p>${'words '.repeat(90)}</p>`), ...USED })

/** Posts pages that cost so much each, with so many sends, and gives what came and what is left under way. */
async function outcomesOf(paths: readonly string[], renderCost: number, sends: number) {
  await using server = await scriptedServer(site)
  await using fetcher = fetcherTo(server.port, { render: written })
  const requests = requestsFor(...paths.map((path) => `http://a.example${path}`))
  fetcher.post({ requests: requests.map((one) => ({ ...one, renderCost })), sends })
  const outcomes: FetchOutcome[] = []
  let mostInFlight = 0
  for (;;) {
    const outcome = await fetcher.next()
    if (!outcome) return { outcomes, mostInFlight, pages: server.pages().length }
    mostInFlight = Math.max(mostInFlight, fetcher.inFlightCost!())
    outcomes.push(outcome)
  }
}

test('a rendering is paid for before it is sent: never more than was allowed', async () => {
  const paths = Array.from({ length: 9 }, (_, i) => `/${i}`)
  const { outcomes, pages } = await outcomesOf(paths, 4, 10)
  expect(pages).toBe(2)
  expect(outcomes.map(costOf)).toEqual([4, 4])
  expect(outcomes).toMatchObject([
    { rendering: { state: 'done' } },
    { rendering: { state: 'done' } },
  ])
})

test('nothing is waited for that is too dear', async () => {
  const { outcomes, pages } = await outcomesOf(['/a', '/b'], 4, 3)
  expect([outcomes.length, pages]).toEqual([0, 0])
})

test('what was paid for a rendering that there was nothing to render for is free again', async () => {
  const { outcomes } = await outcomesOf(['/gone', '/a', '/b'], 4, 9)
  expect(outcomes.map(costOf).sort()).toEqual([1, 4, 4])
})

test('in a crawl that renders, a plain fetch of a frame says that it is one', async () => {
  await using server = await scriptedServer(site)
  await using fetcher = fetcherTo(server.port, { render: written })
  fetcher.post({ requests: requestsFor('http://a.example/a'), sends: 1 })
  expect(await fetcher.next()).toMatchObject({ kind: 'page', rendering: { state: 'shell' } })
})
