import { readAnswer } from '#fetch/http/read-answer.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { type RecordPlace, storedAnswer } from './stored-answer.ts'

/** Longer pages were never indexed. */
const MOST_BYTES = 1 << 26

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
  const outcome = readAnswer(
    { id: 0, url, at, ms: 0 },
    { kind: 'answer', status, headers, body, bytes: body.length, truncated: isCut },
    { agentToken: '', maxBodyBytes: MOST_BYTES },
  )
  return outcome.kind === 'page' ? outcome.page : undefined
}
