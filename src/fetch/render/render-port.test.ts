import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { renderThrough, serveRendering } from './render-port.ts'
import type { Render, RenderAnswer } from './renderer.ts'

const JOB = { url: 'http://a.example/', html: new Uint8Array(3), maxBytes: 10 }
const ANSWER: RenderAnswer = { reason: 'none', requests: 1, refused: 0, bytes: 2, ms: 3 }

function lineTo(render: Render) {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  serveRendering(port1, render)
  return { render: renderThrough(port2), far: port1 }
}

test('answers come to whoever asked, in whatever order', async () => {
  const { render } = lineTo(async ({ maxBytes }) => ({ ...ANSWER, bytes: maxBytes }))
  const { signal } = new AbortController()
  const all = await Promise.all(
    [5, 6, 7].map((maxBytes) => render({ ...JOB, maxBytes }, signal).then((one) => one?.bytes)),
  )
  expect(all).toEqual([5, 6, 7])
})

test('what is called off is answered at once, and the renderer hears of it', async () => {
  const heard = Promise.withResolvers<void>()
  const { render } = lineTo(async (_, signal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    heard.resolve()
    return undefined
  })
  const stop = new AbortController()
  const answer = render(JOB, stop.signal)
  stop.abort()
  expect(await answer).toBeUndefined()
  await heard.promise
  expect(await render(JOB, stop.signal)).toBeUndefined()
})

test('where the thread has ended, renderings fail and nobody waits', async () => {
  const { render, far } = lineTo(() => new Promise(() => {}))
  const { signal } = new AbortController()
  const waiting = render(JOB, signal)
  far.close()
  expect((await waiting)?.reason).toContain('ended')
  expect((await render(JOB, signal))?.reason).toContain('ended')
})
