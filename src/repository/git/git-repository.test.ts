import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { GitRepository } from './git-repository.ts'
import type { GitObject } from './object-reader.ts'
import { smallRepository, temporaryFolder } from './small-repository.test-kit.ts'

const opened: GitRepository[] = []
async function open(dir: string): Promise<GitRepository> {
  const repository = await GitRepository.open(dir)
  opened.push(repository)
  return repository
}
afterEach(async () => {
  for (const repository of opened.splice(0)) await repository.close()
})

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
const textOf = (object: GitObject | undefined) =>
  object?.bytes && Buffer.from(object.bytes).toString()
const seconds = (time: string) => Date.parse(time) / 1000

describe('a repository gives', () => {
  test('its commits from the tip back along first parents, with the committer’s dates', async () => {
    const made = smallRepository()
    const first = made.commit('2026-01-05T12:00:00Z', { a: '1' })
    made.git('switch', '--quiet', '--create', 'side')
    made.commit('2026-01-06T12:00:00Z', { b: '1' })
    made.git('switch', '--quiet', 'main')
    const second = made.commit('2026-01-07T12:00:00+02:00', { a: '2' })
    made.git('merge', '--quiet', '--no-edit', 'side')
    const repository = await open(made.dir)
    const commits = await all(repository.commits(await repository.tipOf(undefined)))
    expect(commits.slice(1)).toEqual([
      { id: second, at: seconds('2026-01-07T10:00:00Z') },
      { id: first, at: seconds('2026-01-05T12:00:00Z') },
    ])
    expect(await repository.tipOf('side')).not.toBe(await repository.tipOf('main'))
    expect(repository.isShallow).toBe(false)
  })

  test('what changed between two trees, whatever the names of the files', async () => {
    const made = smallRepository()
    const names = ['a b.html', 'ü.html', 'line\nbreak.html', '"quoted".html', 'tab\t.html', '-x']
    const old = made.commit(
      '2026-01-05T12:00:00Z',
      Object.fromEntries([...names, 'same', 'lost', 'sub/deep'].map((name) => [name, name])),
    )
    const now = made.commit('2026-01-06T12:00:00Z', {
      lost: null,
      'sub/deep': 'changed',
      link: { link: 'same' },
      'a b.html': 'moved to',
    })
    const repository = await open(made.dir)
    const [before, after] = [await repository.treeOf(old, ''), await repository.treeOf(now, '')]
    const born = await all(repository.changes(undefined, before))
    const paths = born.map(({ path }) => Buffer.from(path, 'latin1').toString())
    expect(paths.sort()).toEqual([...names, 'same', 'lost', 'sub/deep'].sort())
    const changes = await all(repository.changes(before, after))
    expect(changes.map(({ path, kind }) => [path, kind])).toEqual([
      ['a b.html', 'file'],
      ['link', 'symlink'],
      ['lost', 'deleted'],
      ['sub/deep', 'file'],
    ])
    expect(textOf(await repository.find(changes[3].blob, 100))).toBe('changed')
    expect(await all(repository.changes(after, after))).toEqual([])
    const taken = await all(repository.changes(after, undefined))
    expect(new Set(taken.map(({ kind }) => kind))).toEqual(new Set(['deleted']))
    expect(await repository.treeOf(now, 'sub')).toMatch(/^[0-9a-f]{40}$/)
    expect(await repository.treeOf(now, 'same')).toBeUndefined()
    expect(await repository.treeOf(now, 'nowhere')).toBeUndefined()
  })

  test('many files in the order asked for, the large ones without their bytes', async () => {
    const made = smallRepository()
    const sizes = Array.from({ length: 300 }, (_, i) => (i * 7919) % 5000)
    const large = 'x'.repeat(300_000)
    const files = Object.fromEntries(sizes.map((size, i) => [`f${i}`, `${i}:${'y'.repeat(size)}`]))
    const commit = made.commit('2026-01-05T12:00:00Z', { ...files, large })
    const repository = await open(made.dir)
    const tree = await repository.treeOf(commit, '')
    const names = [...sizes.map((_, i) => `f${i}`), 'large', 'none', 'f0']
    const objects = await all(
      repository.read(
        names.map((name) => `${tree}:${name}`),
        100_000,
      ),
    )
    expect(objects.slice(0, 300).map(textOf)).toEqual(sizes.map((_, i) => files[`f${i}`]))
    expect(objects[300]).toMatchObject({ type: 'blob', size: 300_000 })
    expect(objects[300]?.bytes).toBeUndefined()
    expect(objects[301]).toBeUndefined()
    expect(textOf(objects[302])).toBe(files.f0)
    expect(textOf(await repository.find(`${tree}:large`, 1e6))).toBe(large)
  })

  test('the same when bare, cloned or of SHA-256 names', async () => {
    const made = smallRepository()
    const commit = made.commit('2026-01-05T12:00:00Z', { a: '1' })
    made.git('branch', 'gh-pages')
    made.git('clone', '--quiet', '--bare', made.dir, join(made.dir, '..', 'bare'))
    made.git('clone', '--quiet', made.dir, join(made.dir, '..', 'clone'))
    for (const name of ['bare', 'clone']) {
      const repository = await open(join(made.dir, '..', name))
      expect(await repository.tipOf('gh-pages'), name).toBe(commit)
    }
    const other = join(made.dir, '..', 'sha256')
    made.git('init', '--quiet', '--object-format=sha256', other)
    const repository = await open(other)
    await expect(repository.tipOf(undefined)).rejects.toThrow(/has no commits yet/)
    expect(await all(repository.changes(undefined, undefined))).toEqual([])
  })

  test('less when cloned shallow, and says so', async () => {
    const made = smallRepository()
    made.commit('2026-01-05T12:00:00Z', { a: '1' })
    made.commit('2026-01-06T12:00:00Z', { a: '2' })
    const clone = join(made.dir, '..', 'shallow')
    made.git('clone', '--quiet', '--depth=1', `file://${made.dir}`, clone)
    const repository = await open(clone)
    expect(repository.isShallow).toBe(true)
    expect(await all(repository.commits(await repository.tipOf(undefined)))).toHaveLength(1)
  })
})

describe('a mistake gets a line that helps', () => {
  test('in the folder', async () => {
    const { dir, git } = smallRepository()
    const folder = join(dir, 'folder')
    mkdirSync(folder)
    for (const [name, message] of [
      ['/no/such/place', /git \/no\/such\/place: no such folder/],
      ['https://example.org/x.git', /an address; clone it first/],
      ['git@example.org:x.git', /an address; clone it first/],
      [temporaryFolder(), /is no git repository: name the folder with \.git in it/],
      [folder, /is no git repository/],
    ] as const)
      await expect(GitRepository.open(name)).rejects.toThrow(message)
    const repository = await open(dir)
    await expect(repository.tipOf(undefined)).rejects.toThrow(/has no commits yet/)
    git('commit', '--quiet', '--allow-empty', '--message=x')
    git('branch', 'gh-pages')
    for (const branch of ['nope', '--all', 'a\nb', 'HEAD:x'])
      await expect(repository.tipOf(branch)).rejects.toThrow(/no branch .*branch gh-pages, main/s)
  })

  test('when git is not installed', async () => {
    const { dir } = smallRepository()
    const path = process.env.PATH
    process.env.PATH = temporaryFolder()
    try {
      await expect(GitRepository.open(dir)).rejects.toThrow(/needs the program git, which is not/)
    } finally {
      process.env.PATH = path
    }
  })

  test('when the repository is damaged', async () => {
    const made = smallRepository()
    const commit = made.commit('2026-01-05T12:00:00Z', { a: '1' })
    const repository = await open(made.dir)
    rmSync(join(made.dir, '.git', 'objects', commit.slice(0, 2), commit.slice(2)))
    await expect(all(repository.commits(commit))).rejects.toThrow(/git gave up .*git fsck/)
  })
})

test('nothing of the repository is ever run, whatever its configuration asks for', async () => {
  const made = smallRepository()
  const first = made.commit('2026-01-05T12:00:00Z', {
    'a.html': '1',
    '.gitattributes': '* diff=evil filter=evil\n',
  })
  const second = made.commit('2026-01-06T12:00:00Z', { 'a.html': '2' })
  const mark = join(made.dir, '..', 'was-run')
  const evil = join(made.dir, '..', 'evil')
  writeFileSync(evil, `#!/bin/sh\ntouch ${mark}\ncat\n`)
  chmodSync(evil, 0o755)
  for (const setting of [
    ...[
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'core.askPass',
      'core.alternateRefsCommand',
    ],
    ...['diff.external', 'diff.evil.command', 'diff.evil.textconv', 'gpg.program', 'core.editor'],
    ...['filter.evil.smudge', 'filter.evil.clean', 'filter.evil.process', 'credential.helper'],
  ])
    made.git('config', setting, evil)
  made.git('config', 'log.showSignature', 'true')
  const hooks = join(made.dir, '.git', 'hooks')
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-auto-gc'])
    writeFileSync(join(hooks, hook), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 })
  const repository = await open(made.dir)
  const tip = await repository.tipOf('main')
  expect(await all(repository.commits(tip))).toHaveLength(2)
  const trees = [await repository.treeOf(first, ''), await repository.treeOf(second, '')]
  const [change] = await all(repository.changes(trees[0], trees[1]))
  expect(textOf(await repository.find(change.blob, 100))).toBe('2')
  expect(existsSync(mark)).toBe(false)
})

test('a file that a partial clone lacks is not fetched behind our back', async () => {
  const made = smallRepository()
  const commit = made.commit('2026-01-05T12:00:00Z', { 'a.html': 'content' })
  const blob = made.git('rev-parse', `${commit}:a.html`).trim()
  const mark = join(made.dir, '..', 'was-run')
  made.git('config', 'core.repositoryFormatVersion', '1')
  made.git('config', 'extensions.partialClone', 'origin')
  made.git('config', 'remote.origin.url', `ext::touch ${mark}`)
  made.git('config', 'remote.origin.promisor', 'true')
  made.git('config', 'protocol.ext.allow', 'always')
  rmSync(join(made.dir, '.git', 'objects', blob.slice(0, 2), blob.slice(2)))
  const repository = await open(made.dir)
  const lacking = repository.find(blob, 100)
  await expect(
    lacking.then((found) => found ?? Promise.reject(new Error('missing'))),
  ).rejects.toThrow(/partial clone that lacks files|missing/)
  expect(existsSync(mark)).toBe(false)
  // What we guard against is real: git alone would have run it.
  const options = { cwd: made.dir, stdio: 'ignore' } as const
  expect(() => execFileSync('git', ['cat-file', 'blob', blob], options)).toThrow()
  expect(existsSync(mark)).toBe(true)
})
