import type { MessagePort } from 'node:worker_threads'
import type { Render, RenderAnswer, RenderJob } from './renderer.ts'

type Question =
  | { readonly kind: 'render'; readonly id: number; readonly job: RenderJob }
  | { readonly kind: 'call off'; readonly id: number }

interface Reply {
  readonly id: number
  readonly answer: RenderAnswer | undefined
}

/** What is to be said for a thread that has ended. */
const ENDED: RenderAnswer = {
  ...{ reason: 'the thread that renders has ended', requests: 0, refused: 0, bytes: 0, ms: 0 },
}

/** Has pages rendered by whoever serves the other end. */
export function renderThrough(port: MessagePort): Render {
  const asked = new Map<number, (answer: RenderAnswer | undefined) => void>()
  let ids = 0
  const say = (question: Question) => port.postMessage(question)
  port.on('message', ({ id, answer }: Reply) => asked.get(id)?.(answer))
  let isClosed = false
  port.on('close', () => {
    isClosed = true
    for (const answer of asked.values()) answer(ENDED)
  })
  // Whoever waits for an answer is kept alive by more than this.
  port.unref()
  return (job, signal) => {
    if (signal.aborted) return Promise.resolve(undefined)
    if (isClosed) return Promise.resolve(ENDED)
    const id = ids++
    const { promise, resolve } = Promise.withResolvers<RenderAnswer | undefined>()
    const callOff = () => {
      say({ kind: 'call off', id })
      resolve(undefined)
    }
    asked.set(id, resolve)
    signal.addEventListener('abort', callOff, { once: true })
    say({ kind: 'render', id, job })
    return promise.finally(() => {
      asked.delete(id)
      signal.removeEventListener('abort', callOff)
    })
  }
}

/** Renders for whoever has the other end. */
export function serveRendering(port: MessagePort, render: Render): void {
  const underWay = new Map<number, AbortController>()
  port.on('message', async (question: Question) => {
    const { id } = question
    if (question.kind === 'call off') {
      underWay.get(id)?.abort()
      return
    }
    const stop = new AbortController()
    underWay.set(id, stop)
    const answer = await render(question.job, stop.signal)
    underWay.delete(id)
    port.postMessage({ id, answer } satisfies Reply)
  })
}
