/** The fetching thread, which ends as soon as it asks for a page called `die`. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Message } from './messages.ts'
import { serveSender } from './serve-sender.ts'

const port = parentPort!
const post = port.postMessage.bind(port) as (message: Message, bodies: never) => void
port.postMessage = (message: Message, bodies: never) => {
  post(message, bodies)
  if (message.kind === 'sent' && message.url.endsWith('/die')) process.exit(1)
}
serveSender(port, workerData)
