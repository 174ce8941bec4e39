import type { IncomingMessage } from 'node:http'

/** The body of a request; undefined if it is longer, or its sender went away. */
export function readBody(request: IncomingMessage, mostBytes: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= mostBytes) chunks.push(chunk)
      else resolve(undefined) // the rest is not kept, and the connection ends with the answer
    })
    request.once('end', () => resolve(Buffer.concat(chunks)))
    request.once('close', () => resolve(undefined))
    request.once('error', () => resolve(undefined))
  })
}
