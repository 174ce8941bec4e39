import { expect, test } from 'vitest'
import type { PageOutcome } from '#learn/entries/outcome.ts'
import { parsePage } from '#parse/parse-page.ts'
import { ByteLedger } from '../bounds/byte-ledger.ts'
import { renderFetched } from './render-fetched.ts'

const URL = 'http://a.example/'
const source = Buffer.from('<div id=root></div><script src=x></script>')
const fetched: PageOutcome = {
  ...{ kind: 'page', id: 1, url: URL, at: 1, ms: 1, status: 200, bytes: 40, contentHash: 'aa' },
  ...{ page: parsePage(source, 'text/html', URL), source },
}

/** Renders to so much markup, and tells how often something was read in its turn. */
async function rendered(bytes: number, isOver = false) {
  let turns = 0
  const dom = Buffer.from('<p>words '.repeat(bytes / 9))
  const outcome = await renderFetched(
    fetched,
    { renderCost: 2 },
    {
      render: async () => ({ dom, requests: 1, refused: 0, bytes: 10, ms: 5 }),
      client: {
        readInTurn: async (work) => {
          turns++
          return isOver ? undefined : work()
        },
      },
      ...{ agentToken: 'forager', ledger: new ByteLedger(), end: new AbortController().signal },
    },
  )
  return { turns, outcome }
}

test('long markup that scripts have made is read in its turn, as long pages are', async () => {
  const done = { kind: 'page', rendering: { state: 'done' } }
  expect(await rendered(9_000)).toMatchObject({ turns: 0, outcome: done })
  expect(await rendered(900_000)).toMatchObject({ turns: 1, outcome: done })
  const over = { kind: 'failed', brokenOff: true }
  expect(await rendered(900_000, true)).toMatchObject({ turns: 1, outcome: over })
})

test('a frame that nobody is going to render says that it is one', async () => {
  const means = {
    ...{ agentToken: 'forager', ledger: new ByteLedger(), end: new AbortController().signal },
    client: { readInTurn: async <T>(work: () => T) => work() },
  }
  expect(await renderFetched(fetched, {}, means)).toMatchObject({ rendering: { state: 'unasked' } })
  const thin = parsePage(Buffer.from('<p>words</p><script src=x></script>'), 'text/html', URL)
  const outcome = await renderFetched({ ...fetched, page: thin }, {}, means)
  expect(outcome).not.toHaveProperty('rendering')
})
