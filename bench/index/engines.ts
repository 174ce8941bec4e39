import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { IndexStore } from '#repository/text-index/index-store.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { MINISEARCH } from '../harness/peers.ts'
import type { BenchDocument } from './corpus.ts'

/** An engine with what its folder held when it was opened. */
export interface Engine {
  add(documents: readonly BenchDocument[]): void
  /** Gives documents it has new content. */
  replace(documents: readonly BenchDocument[]): void
  /** The ids of the best ten, best first. */
  search(words: string): number[]
  /** Puts everything on disk. */
  save(): void
}

const BEST = 10

/** The engines by name: each opens a folder, which may be empty. */
export const ENGINES: Readonly<Record<string, (folder: string) => Engine | Promise<Engine>>> = {
  forager: openForager,
  minisearch: openMiniSearch,
  fts5: openFts5,
}

function openForager(folder: string): Engine {
  const store = new IndexStore(folder)
  const index = store.load(defaultAnalyser)
  const put = (documents: readonly BenchDocument[]) => {
    for (const document of documents) index.replace(document.id, document)
  }
  return {
    add: put,
    replace: put,
    search: (words) =>
      index.search(index.prepare(words, defaultScoring), BEST).map(({ url }) => url),
    save: () => store.save(index),
  }
}

async function openMiniSearch(folder: string): Promise<Engine> {
  const { openMiniSearch } = await import(MINISEARCH)
  return openMiniSearch(join(folder, 'index.json'), BEST)
}

/** Contentless, as our index is, with a cache that holds all of it; every batch is one transaction. */
function openFts5(folder: string): Engine {
  const database = new DatabaseSync(join(folder, 'fts5.db'))
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -1000000',
  )
  database.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS pages USING
    fts5(title, anchors, url, body, content = '', contentless_delete = 1)`)
  const insert = database.prepare(
    'INSERT INTO pages (rowid, title, anchors, url, body) VALUES (?, ?, ?, ?, ?)',
  )
  const remove = database.prepare('DELETE FROM pages WHERE rowid = ?')
  const find = database.prepare(
    `SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ${BEST}`,
  )
  const write = (documents: readonly BenchDocument[], each: (document: BenchDocument) => void) => {
    database.exec('BEGIN')
    documents.forEach(each)
    database.exec('COMMIT')
  }
  const add = ({ id, title, anchors, urlWords, text }: BenchDocument) =>
    insert.run(id, title, anchors.join('\n'), urlWords, text)
  return {
    add: (documents) => write(documents, add),
    replace: (documents) =>
      write(documents, (document) => {
        remove.run(document.id)
        add(document)
      }),
    search: (words) => find.all(anyOf(words)).map(({ rowid }) => Number(rowid)),
    save: () => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
  }
}

/** FTS5 wants every word unless told otherwise. */
function anyOf(words: string): string {
  return words
    .split(' ')
    .map((word) => `"${word}"`)
    .join(' OR ')
}
