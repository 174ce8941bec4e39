import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { headOf } from './commit.ts'

const folder = sharedFolder()

function write(path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
}

test('the commit is read from a checkout, packed or not, and from a work tree of its own', () => {
  write('plain/.git/HEAD', 'ref: refs/heads/main')
  write('plain/.git/refs/heads/main', '0123')
  write('plain/.git/packed-refs', '# pack-refs\n4567 refs/heads/other\n89ab refs/heads/tree')
  write('tree/.git', `gitdir: ${join(folder, 'plain/.git/worktrees/tree')}`)
  write('plain/.git/worktrees/tree/HEAD', 'ref: refs/heads/tree')
  write('plain/.git/worktrees/tree/commondir', '../..')
  write('loose/.git/HEAD', 'cdef')
  expect(['plain', 'tree', 'loose', 'none'].map((name) => headOf(join(folder, name)))).toEqual([
    '0123',
    '89ab',
    'cdef',
    undefined,
  ])
})
