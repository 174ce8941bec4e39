import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { threadFlags } from '../bounds/thread-flags.ts'
import type {
  RenderThreadData,
  RenderThreadNews,
  RenderThreadOrder,
} from './serve-render-thread.ts'

const PROGRAM = new URL('./render-thread.ts', import.meta.url)
/** What is not over by then is ended. */
const CLOSE_MS = 150

/** A thread that renders for all workers, and has the browser. It is started when a worker first wants it. */
export class RenderingThread {
  readonly #data: Omit<RenderThreadData, 'folder'>
  #thread: { readonly worker: Worker; readonly folder: string } | undefined
  #pid: number | undefined
  #isClosed = false

  constructor(data: Omit<RenderThreadData, 'folder'>) {
    this.#data = data
  }

  /** One end of a line to the thread, for a worker. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    const order: RenderThreadOrder = { kind: 'serve', port: port1 }
    this.#start().postMessage(order, [port1])
    return port2
  }

  /** Ends the browser at once: whatever it was doing was waited for elsewhere. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (!this.#thread) return
    const { worker, folder } = this.#thread
    this.#endBrowser()
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const timer = setTimeout(() => void worker.terminate(), CLOSE_MS)
    worker.postMessage({ kind: 'close' } satisfies RenderThreadOrder)
    worker.ref()
    await ended
    clearTimeout(timer)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }

  #start(): Worker {
    if (this.#thread) return this.#thread.worker
    const folder = mkdtempSync(join(tmpdir(), 'forager-render-'))
    const workerData: RenderThreadData = { ...this.#data, folder }
    const worker = new Worker(PROGRAM, { name: 'render', workerData, ...threadFlags() })
    worker.unref()
    worker.on('message', ({ pid }: RenderThreadNews) => {
      this.#pid = pid
    })
    // Its lines are closed with it, which workers take for an answer.
    worker.on('error', () => {})
    worker.on('exit', () => {
      this.#endBrowser()
      if (!this.#isClosed) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      this.#thread = undefined
    })
    this.#thread = { worker, folder }
    return worker
  }

  #endBrowser(): void {
    if (this.#pid === undefined) return
    try {
      process.kill(this.#pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
    this.#pid = undefined
  }
}
