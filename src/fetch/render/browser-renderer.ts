import { LazyBrowser } from './browser.ts'
import { BROWSER_ENDED, renderPage } from './render-page.ts'
import type { BrowserOptions, Render, RenderAnswer, RenderJob } from './renderer.ts'
import type { Subresources } from './subresources.ts'

/** So many pages are rendered at a time. */
const AT_ONCE = 2

/** Renders pages in one browser, a few at a time. A browser that cannot be had costs each page one failure. */
export function browserRenderer(
  options: BrowserOptions,
  subresources: Pick<Subresources, 'get'>,
  tellPid: (pid: number) => void = () => {},
): { readonly render: Render; kill(): void } {
  const browser = new LazyBrowser(options, tellPid)
  const waiting: (() => void)[] = []
  let free = AT_ONCE
  const enter = async () => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  const renderOnce = async (job: RenderJob, signal: AbortSignal) =>
    renderPage(await browser.get(), job, subresources, options, signal, () => browser.kill())
  return {
    render: async (job, signal) => {
      await enter()
      try {
        if (signal.aborted) return undefined
        const first = await renderOnce(job, signal)
        if (first.reason !== BROWSER_ENDED || signal.aborted)
          return signal.aborted ? undefined : first
        // Perhaps the page beside it was too much for the browser.
        const left = { ...job, maxBytes: job.maxBytes - first.bytes }
        const second = await renderOnce(left, signal)
        return signal.aborted ? undefined : withUsage(second, first)
      } catch (error) {
        const reason = (error as Error).message.split('\n', 1)[0]
        return { reason, requests: 0, refused: 0, bytes: 0, ms: 0 }
      } finally {
        leave()
      }
    },
    kill: () => browser.kill(),
  }
}

function withUsage(
  answer: RenderAnswer,
  { requests, refused, bytes, ms }: RenderAnswer,
): RenderAnswer {
  return {
    ...answer,
    requests: answer.requests + requests,
    refused: answer.refused + refused,
    bytes: answer.bytes + bytes,
    ms: answer.ms + ms,
  }
}
