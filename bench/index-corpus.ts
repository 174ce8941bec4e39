import { createReadStream, createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { searchablePages } from '#lab/archive-index.ts'
import { seededRandom } from '#numeric/random.ts'
import { tokenize, urlTokens } from '#parse/tokens.ts'
import type { Archive } from '#repository/archive/archive.ts'
import type { SearchablePage } from '#search/analysis.ts'
import { isFunctionWord } from '#search/function-words.ts'

/** What every engine is given; `urlWords` for those that cannot take an address apart themselves. */
export interface BenchDocument extends SearchablePage {
  readonly id: number
  readonly urlWords: string
}

const MOST_WORDS = 3
const BATCH = 1000

/** Writes an archive's last snapshot as a corpus: at most so many documents, and queries for them. */
export async function writeCorpus(
  folder: string,
  archive: Archive,
  sizes: { readonly documents: number; readonly queries: number; readonly seed: number },
): Promise<number> {
  const random = seededRandom(sizes.seed)
  const texts: string[] = []
  const lines = function* () {
    for (const { page } of searchablePages(archive, archive.snapshotCount - 1)) {
      if (texts.length === sizes.documents) return
      const document: BenchDocument = {
        ...page,
        id: texts.length,
        urlWords: urlTokens(page.url).join(' '),
      }
      texts.push(page.text)
      yield `${JSON.stringify(document)}\n`
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(join(folder, 'documents.jsonl')))
  const queries = new Set<string>()
  while (queries.size < sizes.queries) {
    const words = tokenize(random.pick(texts)).filter((word) => !isFunctionWord(word))
    if (words.length === 0) continue
    const query = Array.from({ length: 1 + random.below(MOST_WORDS) }, () => random.pick(words))
    queries.add([...new Set(query)].join(' '))
  }
  writeFileSync(join(folder, 'queries.json'), JSON.stringify([...queries]))
  return texts.length
}
