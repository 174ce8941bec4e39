import type { Browser } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { renderPage } from './render-page.ts'
import type { Subresources } from './subresources.ts'

const OPTIONS = {
  ...{ executable: '', sandbox: true, memoryBytes: 1, userAgent: 'Forager/test' },
  ...{ seconds: 0.2, requests: 100 },
}
/** It ends when its requests have, however busy the machine is. */
const PATIENT = { ...OPTIONS, seconds: 30 }
const job = (maxBytes = 4_000) => ({ url: 'http://a.test/', html: Buffer.from(''), maxBytes })
const never = new AbortController().signal

/** A browser whose pages ask for so many scripts at once, and then have this markup. */
function browserThatAsks(requests: number, markup: string): Browser {
  let route: (route: unknown) => Promise<void> = async () => {}
  const asks = (url: string, isNavigation: boolean) =>
    route({
      request: () => ({
        ...{ url: () => url, method: () => 'GET', headers: () => ({}) },
        ...{ isNavigationRequest: () => isNavigation, resourceType: () => 'script' },
      }),
      ...{ fulfill: async () => {}, abort: async () => {} },
    })
  const page = {
    on: () => {},
    goto: async (url: string) => {
      await asks(url, true)
      for (let n = 0; n < requests; n++) void asks(`http://b.test/${n}.js`, false)
    },
    waitForLoadState: async () => {},
  }
  const answers: Record<string, unknown> = {
    'Page.getFrameTree': { frameTree: { frame: { id: 'f' } } },
    'Page.createIsolatedWorld': { executionContextId: 1 },
    'Runtime.evaluate': { result: { value: markup } },
  }
  const context = {
    ...{ addInitScript: async () => {}, newPage: async () => page, on: () => {} },
    route: async (_: string, handler: typeof route) => {
      route = handler
    },
    newCDPSession: async () => ({ send: async (name: string) => answers[name] }),
    close: async () => {},
  }
  const browser = { once: () => {}, off: () => {}, newContext: async () => context }
  return browser as unknown as Browser
}

test('requests of a page at the same time are sent no more bytes than it may have', async () => {
  let [promised, most, received] = [0, 0, 0]
  const get: Subresources['get'] = async (_, maxBytes) => {
    promised += maxBytes
    most = Math.max(most, promised + received)
    await new Promise((resolve) => setTimeout(resolve, 2))
    promised -= maxBytes
    const bytes = Math.min(maxBytes, 300)
    received += bytes
    return { answer: 'too many bytes', bytes }
  }
  const browser = browserThatAsks(20, '<p>')
  const answer = await renderPage(browser, job(), { get }, PATIENT, never, () => {})
  expect(most).toBeLessThanOrEqual(4_000)
  expect(received).toBe(4_000)
  expect(answer).toMatchObject({ bytes: 4_000, requests: 20 })
})

test('what is under way when a page is over is broken off, and counts', async () => {
  const get: Subresources['get'] = (_, maxBytes, end) =>
    new Promise((resolve) =>
      end?.addEventListener('abort', () => resolve({ answer: 'called off', bytes: maxBytes / 2 })),
    )
  const browser = browserThatAsks(2, '<p>')
  const answer = await renderPage(browser, job(), { get }, OPTIONS, never, () => {})
  expect(answer).toMatchObject({ bytes: 1_000 })
})

test('markup is cut by its bytes, whatever its letters', async () => {
  const get = async () => ({ answer: '', bytes: 0 })
  const browser = browserThatAsks(0, '字'.repeat(5 << 20))
  const { dom } = await renderPage(browser, job(), { get }, OPTIONS, never, () => {})
  expect(dom?.length).toBe(10 << 20)
})

test('a browser that opens nothing is waited for no longer than a page, and given up', async () => {
  const newContext = () => new Promise(() => {})
  const browser = { once: () => {}, off: () => {}, newContext } as unknown as Browser
  const giveUp = vi.fn()
  const get = async () => ({ answer: '', bytes: 0 })
  const answer = await renderPage(browser, job(), { get }, OPTIONS, never, giveUp)
  expect(answer).toMatchObject({ reason: 'takes too long' })
  await vi.waitFor(() => expect(giveUp).toHaveBeenCalled(), { timeout: 5_000 })
})
