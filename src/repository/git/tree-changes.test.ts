import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GitRepository } from './git-repository.ts'
import { type Files, smallRepository } from './small-repository.test-kit.ts'

test('trees differ in what git itself says, in its order', async () => {
  const made = smallRepository()
  // Names that sort otherwise as folders, and that take each other's place.
  const name = fc.constantFrom('a', 'a.html', 'a-b', 'b/a', 'b/c/d', 'b.html', 'b-', 'c/x', 'c/y')
  const content = fc.oneof(fc.constantFrom('1', '2', null), fc.constant({ link: 'a' }))
  const states: string[] = []
  for (const files of fc.sample(fc.dictionary(name, content), { numRuns: 8, seed: 7 }))
    states.push(made.commit('2026-01-05T12:00:00Z', files as Files))
  const repository = await GitRepository.open(made.dir)
  try {
    const trees: string[] = []
    for (const state of states) trees.push((await repository.treeOf(state, ''))!)
    for (const [i, tree] of trees.entries()) {
      const before = trees[i - 1]
      const paths: string[] = []
      for await (const { path } of repository.changes(before, tree)) paths.push(path)
      const listed =
        before === undefined
          ? made.git('ls-tree', '-r', '--name-only', tree)
          : made.git('diff-tree', '-r', '--name-only', '--no-renames', before, tree)
      expect(paths).toEqual(listed.split('\n').filter(Boolean))
    }
  } finally {
    await repository.close()
  }
})
