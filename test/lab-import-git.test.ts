import { join } from 'node:path'
import { expect, test } from 'vitest'
import { smallRepository, temporaryFolder } from '#repository/git/small-repository.test-kit.ts'
import { forager } from './forager-process.ts'

test('a git history becomes an archive that can be listed and run', async () => {
  const repository = smallRepository()
  const page = (text: string) => `<title>${text}</title><a href="/">Home</a><a href="a">A</a>`
  repository.commit('2026-01-05T12:00:00Z', { 'index.html': page('One'), 'a.html': page('A') })
  repository.commit('2026-01-14T12:00:00Z', { 'index.html': page('Two') })
  const out = join(temporaryFolder(), 'weekly')
  const args = ['lab', 'import', '--git', repository.dir, '--url', 'https://a.example/']
  const imported = await forager(...args, '--to', '2026-01-19', '--out', out, '--json')
  expect(imported).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(imported.stdout)).toMatchObject({ id: 'weekly', pages: 2, snapshots: 3 })
  const listed = await forager('lab', 'list', out, '--json')
  expect(JSON.parse(listed.stdout).archives[0]).toMatchObject({ snapshots: 3, pages: 2 })
  const run = await forager('lab', 'run', 'selection', '--archive', out, '--json')
  expect(run.code, run.stderr).toBe(0)
  expect(JSON.parse(run.stdout).rows.length).toBeGreaterThan(0)
  const again = await forager(...args, '--out', out)
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toMatch(/already holds an archive/)
})

test.each([
  ['two sources', ['--warc', 'x', '--git', '.'], /--warc and --git are two sources/],
  ['flags of --git without it', ['--warc', 'x', '--branch', 'y'], /--branch is for --git only/],
  ['a bad day', ['--git', '.', '--from', '2026-02-30'], /'--from <day>'.*It must be a day/],
])('a mistake gets one clear line and exit code 2: %s', async (_, args, message) => {
  const { code, stdout, stderr } = await forager('lab', 'import', '--out', 'none', ...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
})
