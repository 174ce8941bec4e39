import { LazyBrowser } from './browser.ts'
import { renderPage } from './render-page.ts'
import type { BrowserOptions, Render } from './renderer.ts'
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
  return {
    render: async (job, signal) => {
      await enter()
      try {
        if (signal.aborted) return undefined
        const running = await browser.get()
        const giveUp = () => browser.kill()
        const answer = await renderPage(running, job, subresources, options, signal, giveUp)
        return signal.aborted ? undefined : answer
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
