import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BinnedTable } from './quantile-bins.ts'
import { addLeafValues, flatTree, goesLeft, leafOf, type Tree, type TreeNode } from './tree.ts'

const FEATURES = 3

/** A tree whose nodes split the leftmost or rightmost open leaf, over bins of the whole byte. */
const anyTree = fc
  .array(
    fc.record({
      feature: fc.nat(FEATURES - 1),
      bin: fc.integer({ min: 1, max: 255 }),
      missingLeft: fc.boolean(),
      atLeft: fc.boolean(),
    }),
    { maxLength: 31 },
  )
  .map((splits): Tree => {
    const nodes: { -readonly [Field in keyof TreeNode]: TreeNode[Field] }[] = []
    const open: ((child: number) => void)[] = [() => {}]
    for (const { atLeft, ...split } of splits) {
      const hang = (atLeft ? open.shift() : open.pop())!
      const node = { ...split, left: 0, right: 0, gain: 1 }
      hang(nodes.push(node) - 1)
      const children = [
        (child: number) => {
          node.left = child
        },
        (child: number) => {
          node.right = child
        },
      ]
      if (atLeft) open.unshift(...children)
      else open.push(...children)
    }
    open.forEach((hang, leaf) => {
      hang(~leaf)
    })
    return { nodes, values: open.map((_, leaf) => leaf + 0.5) }
  })

function walk(tree: Tree, { bins, rows }: BinnedTable, row: number): number {
  let at = tree.nodes.length > 0 ? 0 : ~0
  while (at >= 0) {
    const node = tree.nodes[at]
    at = goesLeft(node, bins[node.feature * rows + row]) ? node.left : node.right
  }
  return tree.values[~at]
}

test('a tree, also laid flat, sends every row where a walk from node to node ends', () => {
  fc.assert(
    fc.property(anyTree, fc.uint8Array({ maxLength: 60 }), (tree, bytes) => {
      const rows = Math.floor(bytes.length / FEATURES)
      const table = { bins: bytes, rows, valueBins: Uint32Array.of(255, 255, 255) }
      const sums = new Float64Array(rows).fill(10)
      addLeafValues(flatTree(tree, table.valueBins), table, sums)
      const leaves = Array.from(sums, (_, row) => leafOf(tree, table, row))
      expect([...sums]).toEqual(Array.from(sums, (_, row) => 10 + walk(tree, table, row)))
      expect(leaves.map((leaf) => tree.values[leaf] + 10)).toEqual([...sums])
    }),
  )
})

test('what has more leaves than a number has bits is refused', () => {
  const values = new Array<number>(33).fill(0)
  expect(() => flatTree({ nodes: [], values }, Uint32Array.of())).toThrow('33 leaves')
})
