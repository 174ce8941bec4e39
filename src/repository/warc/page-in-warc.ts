import { DocumentReader } from '#fetch/documents/document-reader.ts'
import { documentIn, readAnswer, unpackedAnswer } from '#fetch/http/read-answer.ts'
import { renderedPage } from '#fetch/render/rendered-outcome.ts'
import { DOCUMENT_FORMATS } from '#parse/page/document-format.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { type RecordPlace, storedAnswer } from './stored-answer.ts'
import { storedConversion } from './stored-conversion.ts'

/** Longer pages were never indexed. */
const MOST_BYTES = 1 << 26
/** Documents that a crawl could read are read again, whatever its settings were. Its thread begins with the first of them. */
const DOCUMENTS = new DocumentReader({
  formats: DOCUMENT_FORMATS,
  mostMs: 60_000,
  mostBytes: 512 * 1024 * 1024,
})

/** A page as it was read when it was fetched; undefined if what was kept of it is damaged or missing. */
export async function pageInWarc(
  folder: string,
  place: RecordPlace,
  url: string,
  at: number,
): Promise<ParsedPage | undefined> {
  const answer = await storedAnswer(folder, place)
  if (!answer) return undefined
  const { status, body, isCut } = answer
  const headers = Object.fromEntries(answer.headers)
  const attempt = { id: 0, url, at, ms: 0 }
  const options = { agentToken: '', maxBodyBytes: MOST_BYTES, documents: DOCUMENT_FORMATS }
  const unpacked = unpackedAnswer(
    attempt,
    { kind: 'answer', status, headers, body, bytes: body.length, truncated: isCut },
    options,
    MOST_BYTES,
  )
  const file = documentIn(attempt, unpacked)
  const document = file && (await DOCUMENTS.read({ body: file, url }))
  const outcome = readAnswer(attempt, { ...unpacked, document }, options)
  if (outcome.kind !== 'page') return undefined
  const dom = await storedConversion(folder, place)
  return dom ? renderedPage(dom, outcome.page, url) : outcome.page
}
