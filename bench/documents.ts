import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '#app/text/usage-error.ts'
import { DocumentReader } from '#fetch/documents/document-reader.ts'
import { DOCUMENT_FORMATS } from '#parse/page/document-format.ts'
import { benchmark } from './harness/benchmark.ts'
import { means, wordF1 } from './reading/word-f1.ts'

/** What is longer is not kept of a page; of all programs and of the truth no more is compared. */
const MOST_CHARS = 150_000

interface File {
  readonly set: string
  readonly path: string
  readonly truth: string
}

export default benchmark({
  about: 'Reads PDF and office documents, beside pdftotext and Apache Tika',
  flags: { files: '', tika: '', pdftotext: 'pdftotext' },
  async run({ files, tika, pdftotext }) {
    if (!existsSync(files))
      throw new UsageError('--files: name the folder that bench/reading/make-documents.sh made')
    const all = filesIn(files)
    const byTika = tika === '' ? undefined : readByTika(tika, files)
    const reader = new DocumentReader({
      ...{ formats: DOCUMENT_FORMATS, mostMs: 120_000, mostBytes: 1 << 29 },
    })
    const rows = []
    const unread: string[] = []
    let ms = 0
    for (const { set, path, truth } of all) {
      const startedAt = performance.now()
      const read = await reader.read({ body: readFileSync(path), url: 'http://a.test/x' })
      ms += performance.now() - startedAt
      if (!read || 'fault' in read) unread.push(`${path}: ${read?.fault}`)
      const found: Record<string, string> = {
        Forager: read && 'page' in read ? read.page.text : '',
      }
      if (path.endsWith('.pdf')) found.pdftotext = readByPdftotext(pdftotext, path)
      if (byTika) found.Tika = byTika(path)
      const right = Object.fromEntries(
        Object.entries(found).map(([program, text]) => [program, f1Of(text, truth)]),
      )
      rows.push({ set, right })
    }
    await reader.close()
    return {
      ...{ files: all.length, unread, msPerFile: Math.round(ms / all.length) },
      wordF1: means(rows),
    }
  },
})

function f1Of(text: string, truth: string): number {
  return wordF1(text.slice(0, MOST_CHARS), truth.slice(0, MOST_CHARS))
}

function filesIn(folder: string): File[] {
  return readdirSync(folder)
    .sort()
    .flatMap((set) =>
      readdirSync(join(folder, set))
        .filter((name) => !name.endsWith('.txt'))
        .sort()
        .flatMap((name) => {
          const text = join(folder, set, name.replace(/\.[a-z]+$/, '.txt'))
          if (!existsSync(text)) return []
          return [{ set, path: join(folder, set, name), truth: readFileSync(text, 'utf8') }]
        }),
    )
}

function readByPdftotext(program: string, path: string): string {
  const { stdout, status } = spawnSync(program, [path, '-'], { maxBuffer: 1 << 28 })
  if (status !== 0) throw new UsageError(`--pdftotext: ${program} does not read ${path}`)
  return stdout.toString()
}

/** Tika reads a whole folder at once: to begin takes it seconds. */
function readByTika(jar: string, folder: string): (path: string) => string {
  const out = mkdtempSync(join(tmpdir(), 'forager-tika-'))
  const args = ['-jar', jar, '-t', '-i', folder, '-o', out]
  const { status, stderr } = spawnSync('java', args, { maxBuffer: 1 << 28 })
  if (status !== 0) throw new UsageError(`--tika: ${stderr.toString().slice(-500)}`)
  process.on('exit', () => rmSync(out, { recursive: true, force: true }))
  return (path) => {
    const text = join(out, `${path.slice(folder.length)}.txt`)
    return existsSync(text) ? readFileSync(text, 'utf8') : ''
  }
}
