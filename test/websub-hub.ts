import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Subscriber {
  readonly callback: string
  readonly secret: string | undefined
}

interface Delivery {
  readonly body: string
  /** In place of the right one. */
  readonly signature?: string
}

/** A hub (W3C WebSub) on this machine. `reach` says where a callback is really found. */
export async function startHub(reach: (callback: string) => Promise<string>) {
  const subscribers = new Map<string, Subscriber>()
  const asked: URLSearchParams[] = []
  const verify = async (form: URLSearchParams) => {
    const topic = form.get('hub.topic')!
    const callback = form.get('hub.callback')!
    const challenge = randomBytes(8).toString('hex')
    const query = new URLSearchParams({
      ...{ 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.challenge': challenge },
      'hub.lease_seconds': form.get('hub.lease_seconds') ?? '3600',
    })
    const answer = await fetch(`${await reach(callback)}?${query}`)
    if (!answer.ok || (await answer.text()) !== challenge) return
    subscribers.set(topic, { callback, secret: form.get('hub.secret') ?? undefined })
  }
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request))
    asked.push(form)
    response.writeHead(202).end()
    await verify(form)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    /** Forms that came. */
    asked,
    subscribers,
    /** Hands a feed's news to who subscribed; gives the status of the answer. */
    distribute: async (topic: string, { body, signature }: Delivery): Promise<number> => {
      const { callback, secret } = subscribers.get(topic)!
      const own = secret && `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
      const signed = signature ?? own
      const { status } = await fetch(await reach(callback), {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/atom+xml',
          ...(signed && { 'x-hub-signature': signed }),
        },
      })
      return status
    },
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
