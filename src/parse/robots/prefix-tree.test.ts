import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PrefixTree } from './prefix-tree.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', '\ud83d', 'é'), maxLength: 6 })

test('the longest prefix is found, and its ancestors are all the others', () => {
  fc.assert(
    fc.property(fc.array(word), word, (prefixes, text) => {
      const all = prefixes.join('')
      const places = new Map(prefixes.map((prefix) => [prefix, all.indexOf(prefix)]))
      const tree = new PrefixTree(places, all)
      const found: string[] = []
      for (let at = tree.longestOf(text); at >= 0; at = tree.parents[at])
        found.push(tree.prefixAt(at))
      const fitting = [...new Set(prefixes)].filter((prefix) => text.startsWith(prefix))
      expect(found).toEqual(fitting.sort((a, b) => b.length - a.length))
    }),
  )
})
