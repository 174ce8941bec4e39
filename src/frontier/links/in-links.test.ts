import fc from 'fast-check'
import { expect, test } from 'vitest'
import { InLinks } from './in-links.ts'

const URLS = 8
const url = fc.nat(URLS - 1)

test('counts and new links are those of a count from scratch', () => {
  const replacements = fc.array(fc.tuple(url, fc.array(url, { maxLength: 12 })), { maxLength: 40 })
  fc.assert(
    fc.property(replacements, (steps) => {
      const inLinks = new InLinks()
      const rows = Array.from({ length: URLS }, () => new Uint32Array())
      for (const [page, links] of steps) {
        const before = rows[page]
        const after = Uint32Array.from(links)
        const fresh = [...new Set(links)].filter((target) => !before.includes(target))
        expect([...inLinks.replace(before, after, URLS)]).toEqual(fresh)
        rows[page] = after
        for (let target = 0; target < URLS; target++)
          expect(inLinks.of(target)).toBe(rows.filter((row) => row.includes(target)).length)
      }
    }),
  )
})
