import { readdirSync, readFileSync } from 'node:fs'
import { WARCParser, type WARCRecord } from 'warcio'
import type { Exchange } from '#learn/entries/outcome.ts'
import { type WarcOptions, WarcWriter } from './write/warc-writer.ts'

export const NOON = Date.UTC(2026, 10, 15, 12) / 1000

/** An answer with a page, of which everything can be changed. */
export function exchangeOf(
  body: string | Uint8Array,
  { head, ...more }: Partial<Exchange> & { head?: string } = {},
): Exchange {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return {
    requestHead: 'GET / HTTP/1.1\r\nHost: a.example\r\nUser-Agent: forager/1\r\n\r\n',
    responseHead:
      head ??
      `HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ${bytes.length}\r\n\r\n`,
    body: bytes,
    ip: '192.0.2.7',
    startedAt: NOON,
    ...more,
  }
}

/** A writer whose clock stands still and whose ids count up, so that files are the same every time. */
export function openWriter(dir: string, more: Partial<WarcOptions> = {}): Promise<WarcWriter> {
  let ids = 0
  return WarcWriter.open(dir, {
    info: { software: 'forager/test', contact: 'me@example.org' },
    now: () => NOON,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`,
    ...more,
  })
}

/** Names of the WARC files in a folder, oldest first. */
export function warcNames(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => name.endsWith('.warc.gz'))
    .sort()
}

interface SeenRecord {
  readonly record: WARCRecord
  readonly type: string
  readonly url: string | undefined
  readonly offset: number
  readonly length: number
  /** Of a response: the entity body without its content-coding. */
  readonly content: Buffer
  /** Block and payload as stored. */
  readonly payload: Buffer
}

/** All records of a file as warcio, which is not ours, reads them. */
export async function readWithWarcio(path: string): Promise<SeenRecord[]> {
  return parseWithWarcio(readFileSync(path))
}

export async function parseWithWarcio(bytes: Buffer): Promise<SeenRecord[]> {
  const parser = new WARCParser([bytes], { keepHeadersCase: false })
  const seen: SeenRecord[] = []
  for await (const record of parser) {
    const payload = Buffer.from(await record.readFully(false))
    const content = record.httpHeaders ? Buffer.from(await record.readFully(true)) : payload
    const { offset } = parser
    await record.skipFully()
    seen.push({
      record,
      type: record.warcType,
      url: record.warcTargetURI ?? undefined,
      offset,
      length: parser.recordLength,
      content,
      payload,
    })
  }
  return seen
}
