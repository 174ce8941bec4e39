import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { damagedArchive } from './damaged-archive.ts'
import { forager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { folder, archive, inFolder } = modelWebFolder(2)

test('lab run selection writes result, report and selections', async () => {
  const [out, report, dump] = ['out.json', 'report.html', 'dump'].map(inFolder)
  const args = ['--policies', 'bfs,indegree,td-indegree,pagerank,random', '--sizes', '50,200']
  const run = await forager(
    'lab',
    'run',
    'selection',
    '--archive',
    archive,
    ...args,
    '--out',
    out,
    '--report',
    report,
    '--dump',
    dump,
  )
  expect(run.code).toBe(0)
  const { experiment, rows } = JSON.parse(readFileSync(out, 'utf8'))
  expect(experiment).toBe('selection')
  expect(rows.length).toBe(10)
  for (const row of rows) {
    expect(row.maxNdcg).toBeGreaterThanOrEqual(0)
    expect(row.maxNdcg).toBeLessThanOrEqual(1)
    const urls = readFileSync(join(dump, `${row.policy}-${row.size}.txt`), 'utf8')
      .trimEnd()
      .split('\n')
    expect(urls.length).toBe(row.selected)
  }
  expect(readFileSync(report, 'utf8')).toMatch(/<svg[\s\S]*maxNDCG/)
})

test('lab generate gives the same bytes for the same seed, and replaces nothing by itself', async () => {
  const generate = (name: string, ...more: string[]) =>
    forager(
      'lab',
      'generate',
      '--seed',
      '5',
      '--pages',
      '500',
      '--weeks',
      '2',
      '--out',
      inFolder(name),
      ...more,
    )
  expect((await generate('one')).code).toBe(0)
  expect((await generate('two')).code).toBe(0)
  for (const file of readdirSync(inFolder('one')))
    expect(
      readFileSync(join(inFolder('one'), file)).equals(readFileSync(join(inFolder('two'), file))),
      file,
    ).toBe(true)
  expect((await generate('one')).code).toBe(2)
  expect((await generate('one', '--replace')).code).toBe(0)
})

test('lab list names archives, experiments and policies', async () => {
  const listed = JSON.parse((await forager('lab', 'list', folder, '--json')).stdout)
  expect(listed.archives.map(({ dir }: { dir: string }) => dir)).toContain(archive)
  expect(listed.experiments[0].name).toBe('selection')
  expect(listed.policies.length).toBeGreaterThanOrEqual(6)
})

test("an archive's name cannot lead a dump out of its folder", async () => {
  const sly = damagedArchive(archive, inFolder('sly'), 'site.json', (bytes) =>
    Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), id: '../sly' })),
  )
  const dump = join(inFolder('dumps'), 'inner')
  const both = ['--archive', archive, '--archive', sly, '--dump', dump]
  await forager('lab', 'run', 'selection', ...both, '--policies', 'bfs', '--sizes', '10')
  expect(readdirSync(dump)).toEqual(['.._sly-bfs-10.txt', 'model-web-3-bfs-10.txt'])
  expect(readdirSync(inFolder('dumps'))).toEqual(['inner'])
})

test('two archives of one name keep their selections apart', async () => {
  const dump = inFolder('namesakes')
  const twice = ['--archive', archive, '--archive', archive, '--dump', dump]
  await forager('lab', 'run', 'selection', ...twice, '--policies', 'bfs', '--sizes', '10')
  expect(readdirSync(dump)).toEqual(['model-web-3-2-bfs-10.txt', 'model-web-3-bfs-10.txt'])
})
