import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Archive } from '#archive/format/archive.ts'
import { searchablePages } from '#lab/judging/archive-index.ts'
import { seededRandom } from '#numeric/random.ts'
import { isFunctionWord } from '#parse/language/function-words.ts'
import { tokenize, urlTokens } from '#parse/text/tokens.ts'
import type { SearchablePage } from '#search/text/analysis.ts'

/** What every engine is given; `urlWords` for those that cannot take an address apart themselves. */
export interface BenchDocument extends SearchablePage {
  readonly id: number
  readonly urlWords: string
}

const DOCUMENTS = 'documents.jsonl'
const QUERIES = 'queries.json'
const MOST_WORDS = 3

/** Writes the first so many pages of an archive's last snapshot, and queries for them; gives their number. */
export async function writeCorpus(
  folder: string,
  archive: Archive,
  sizes: { readonly documents: number; readonly queries: number; readonly seed: number },
): Promise<number> {
  const texts: string[] = []
  const lines = function* () {
    for (const [, page] of searchablePages(archive, archive.snapshotCount - 1)) {
      if (texts.length === sizes.documents) return
      const id = texts.length
      const document: BenchDocument = { id, ...page, urlWords: urlTokens(page.url).join(' ') }
      texts.push(page.text)
      yield `${JSON.stringify(document)}\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, DOCUMENTS)))
  const queries = drawQueries(texts, sizes.queries, sizes.seed)
  writeFileSync(join(folder, QUERIES), JSON.stringify(queries))
  return texts.length
}

/** One to three telling words that stand together on a page, sampled. */
function drawQueries(texts: readonly string[], count: number, seed: number): string[] {
  const random = seededRandom(seed)
  const queries = new Set<string>()
  while (queries.size < count) {
    const words = tokenize(random.pick(texts)).filter((word) => !isFunctionWord(word))
    if (words.length === 0) continue
    const wanted = 1 + random.below(MOST_WORDS)
    const query = Array.from({ length: wanted }, () => random.pick(words))
    queries.add([...new Set(query)].join(' '))
  }
  return [...queries]
}

/** The documents of a corpus, some at a time. */
export async function* readDocuments(
  folder: string,
  batch: number,
): AsyncGenerator<BenchDocument[]> {
  let documents: BenchDocument[] = []
  for await (const line of createInterface({ input: createReadStream(join(folder, DOCUMENTS)) })) {
    documents.push(JSON.parse(line))
    if (documents.length < batch) continue
    yield documents
    documents = []
  }
  if (documents.length > 0) yield documents
}

export function readQueries(folder: string): string[] {
  return JSON.parse(readFileSync(join(folder, QUERIES), 'utf8'))
}
