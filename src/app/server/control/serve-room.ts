import { setPriority } from 'node:os'
import type { MessagePort } from 'node:worker_threads'
import { runningCrawl } from '#library/control/progress-file.ts'
import { Refusal } from '../http/refusal.ts'
import { roomAnswers } from './room-answers.ts'
import type { FromRoom, RoomThreadData, ToRoom } from './threaded-room.ts'

/** Of threads that compete with this one for a core, others get ten times as much. */
const POLITE = 10

/** Answers what a control room is asked, until it is told to end. */
export function serveRoom(port: MessagePort, data: RoomThreadData): void {
  const tell = (message: FromRoom) => port.postMessage(message)
  const answers = roomAnswers(data, () => tell({ kind: 'news' }))
  const giveWay = politeness(data.crawl.dir)
  port.on('message', async (message: ToRoom) => {
    giveWay()
    if (message.kind === 'refresh') return answers.refresh()
    if (message.kind === 'hurry') return answers.hurry()
    if (message.kind === 'end') {
      await answers.close()
      return port.close()
    }
    const { id, query, form, ...asked } = message
    try {
      const made = await answers.ask({
        ...{ ...asked, query: new URLSearchParams(query) },
        ...(form !== undefined && { form: new URLSearchParams(form) }),
      })
      tell({
        ...{ kind: 'reply', id },
        ...(made instanceof Refusal ? { refusal: { ...made } } : { answer: made }),
      })
    } catch (error) {
      tell({ kind: 'reply', id, error })
    }
  })
}

/** Gives way to a crawl as soon as one runs: this thread and those that it begins, for good. */
function politeness(dir: string): () => void {
  let isPolite = false
  return () => {
    if (isPolite || !runningCrawl(dir)) return
    setPriority(POLITE)
    isPolite = true
  }
}
