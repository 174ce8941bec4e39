import { expect, test } from 'vitest'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Fetcher, FetchRequest } from './ports.ts'
import { promptFetcher } from './prompt-fetcher.ts'

function answer({ id, url }: FetchRequest): FetchOutcome {
  const attempt = { id, url, at: 1, ms: 0 }
  if (url === 'forbidden') return { kind: 'disallowed', ...attempt, rule: 'Disallow: /' }
  return { kind: 'gone', ...attempt, status: 404, bytes: 0 }
}

const requests = (...urls: string[]) => urls.map((url, id) => ({ id, url, priority: 0 }))

async function urlsFrom(fetcher: Fetcher): Promise<string[]> {
  const urls: string[] = []
  for (let next = await fetcher.next(); next; next = await fetcher.next()) urls.push(next.url)
  return urls
}

test('a board is answered in its order, up to what may be sent; what is kept out of costs nothing', async () => {
  const fetcher = promptFetcher(answer)
  expect(await fetcher.next()).toBeUndefined()
  fetcher.post({ requests: requests('a', 'forbidden', 'b', 'c'), sends: 2 })
  expect(await urlsFrom(fetcher)).toEqual(['a', 'forbidden', 'b'])
})

test('another board replaces what was not sent', async () => {
  const fetcher = promptFetcher(answer)
  fetcher.post({ requests: requests('a', 'b'), sends: 9 })
  await fetcher.next()
  fetcher.post({ requests: requests('c'), sends: 9 })
  expect(await urlsFrom(fetcher)).toEqual(['c'])
})
