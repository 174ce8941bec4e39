import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { NotedArrival } from './noting-server-thread.test-kit.ts'

const PROGRAM = new URL('./noting-server-thread.test-kit.ts', import.meta.url)

/** A server on a thread of its own, which goes on and notes who came while the test's thread stands still. */
export async function notingServer() {
  const worker = new Worker(PROGRAM)
  const [port] = (await once(worker, 'message')) as [number]
  return {
    port,
    /** All that came so far, robots.txt left out. */
    async pages(): Promise<NotedArrival[]> {
      worker.postMessage('pages')
      const [arrivals] = await once(worker, 'message')
      return arrivals
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}
