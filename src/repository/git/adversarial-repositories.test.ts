import { execFileSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { heldBytes, staysLinear } from '#numeric/stays-linear.test-kit.ts'
import { ByteReader } from './byte-reader.ts'
import { GitRepository } from './git-repository.ts'
import { smallRepository } from './small-repository.test-kit.ts'

const opened: GitRepository[] = []
async function open(dir: string, mostChanges?: number): Promise<GitRepository> {
  const repository = await GitRepository.open(dir, mostChanges)
  opened.push(repository)
  return repository
}
afterEach(async () => {
  for (const repository of opened.splice(0)) await repository.close()
})

/** A tree of such entries, written as it stands, without a work tree. */
function treeOf(dir: string, entries: readonly string[]): string {
  return execFileSync('git', ['mktree', '--missing'], { cwd: dir, input: entries.join('\n') })
    .toString()
    .trim()
}

function blobOf(dir: string, content: string | Buffer): string {
  return execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: dir, input: content })
    .toString()
    .trim()
}

async function count(items: AsyncIterable<unknown>): Promise<number> {
  let found = 0
  for await (const _ of items) found++
  return found
}

test('folders that hold each other ten times over are given up, not read to their end', async () => {
  const { dir } = smallRepository()
  let tree = treeOf(dir, [`100644 blob ${blobOf(dir, '<p>bomb')}\tindex.html`])
  for (let level = 0; level < 10; level++)
    tree = treeOf(
      dir,
      Array.from({ length: 10 }, (_, i) => `040000 tree ${tree}\t${i}`),
    )
  const repository = await open(dir, 5_000)
  await expect(count(repository.changes(undefined, tree))).rejects.toThrow(
    /more than 5,000 files change at once.*root/,
  )
})

test('a name of a megabyte is read like any other', async () => {
  const { dir } = smallRepository()
  const blob = blobOf(dir, 'x')
  const names = [`a${'x'.repeat(1 << 20)}.html`, 'b.html']
  const entries = names.map((name) => `100644 blob ${blob}\t${name}`)
  const repository = await open(dir)
  const paths: string[] = []
  for await (const { path } of repository.changes(undefined, treeOf(dir, entries))) paths.push(path)
  expect(paths).toEqual(names)
})

test('folders thirty deep are read', async () => {
  const { dir } = smallRepository()
  let tree = treeOf(dir, [`100644 blob ${blobOf(dir, 'x')}\tindex.html`])
  for (let level = 0; level < 30; level++) tree = treeOf(dir, [`040000 tree ${tree}\ta`])
  expect(await count((await open(dir)).changes(undefined, tree))).toBe(1)
})

test('of a file that unpacks to more than is wanted nothing is held', async () => {
  const { dir } = smallRepository()
  const blob = blobOf(dir, Buffer.alloc(32 << 20))
  const repository = await open(dir)
  const before = heldBytes()
  const object = await repository.find(blob, 1 << 20)
  expect(object).toMatchObject({ size: 32 << 20, type: 'blob' })
  expect(object?.bytes).toBeUndefined()
  expect(heldBytes() - before).toBeLessThan(8 << 20)
})

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test.each([
  ['short fields', (size: number) => Buffer.alloc(size, 'a\0')],
  ['one endless field', (size: number) => Buffer.alloc(size, 'a')],
])(
  '%s in small pieces: eight times as many take about eight times as long',
  async (_, makeBytes) => {
    const read = async (bytes: Buffer) => {
      const reader = new ByteReader(inPieces(bytes, 7))
      while ((await reader.field(0)) !== undefined);
    }
    await staysLinear(makeBytes, read, { size: 100_000 })
  },
)
