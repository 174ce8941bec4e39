/**
 * Checks that need recorded real webs: `npm run check:archives -- FOLDER`. Each archive must read
 * without error, agree with the statistics that came with it, and give the same pages over HTML as
 * directly.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evolutionOf } from '#lab/evolution.ts'
import { RecordedWeb } from '#lab/recorded-web.ts'
import { parseHtml } from '#parse/html.ts'
import type { Archive } from '#repository/archive/archive.ts'
import { readArchive } from '#repository/archive/read-archive.ts'

const folder = process.argv[2] ?? '.'
const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'site.json')))
let failed = 0
for (const name of names) {
  const dir = join(folder, name)
  const archive = await readArchive(dir)
  const complaints = [...statisticsDiffer(archive, dir), ...htmlDiffers(archive)]
  for (const complaint of complaints) console.log(`${name}: ${complaint}`)
  failed += complaints.length > 0 ? 1 : 0
  console.log(`${name}: ${archive.pageCount} pages, ${archive.versionCount} versions`)
}
console.log(`${names.length - failed} archives agree, ${failed} do not`)
process.exitCode = failed > 0 || names.length === 0 ? 1 : 0

function statisticsDiffer(archive: Archive, dir: string): string[] {
  const path = join(dir, 'stats.json')
  if (!existsSync(path)) return []
  const rows: Record<string, number>[] = JSON.parse(readFileSync(path, 'utf8')).rows ?? []
  const { steps } = evolutionOf(archive)
  return rows.flatMap((row) => {
    const step = steps.find(({ snapshot }) => snapshot === row.t)
    const found = step && {
      new: step.born,
      direct: step.direct,
      chain: step.chain,
      orphan: step.orphan,
    }
    const expected = { new: row.new, direct: row.direct, chain: row.chain, orphan: row.orphan }
    const same = JSON.stringify(found) === JSON.stringify(expected)
    return same
      ? []
      : [`snapshot ${row.t}: ${JSON.stringify(found)} should be ${JSON.stringify(expected)}`]
  })
}

/** Every live page of the last snapshot, rendered and parsed, against what the lab gives directly. */
function htmlDiffers(archive: Archive): string[] {
  const web = new RecordedWeb(archive, archive.snapshotCount - 1)
  return web.hosts().flatMap((host) =>
    web.liveUrls(host).flatMap((url) => {
      const answer = web.answer(url)
      if (answer.kind !== 'page') return []
      const parsed = parseHtml(web.htmlOf(answer.version), url)
      return JSON.stringify(parsed) === JSON.stringify(answer.page)
        ? []
        : [`${url} differs over HTML`]
    }),
  )
}
