import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { generateModelWeb } from './generate.ts'

/** Results and tests name webs by seed and size: these must stay what they are, to the last byte. */
test.each([
  [{ seed: 1, pages: 500, weeks: 4 }, '12ed49e93a033a60'],
  [{ seed: 3, pages: 900, weeks: 12 }, 'dd906278839cbbd5'],
  [{ seed: 7, pages: 700, weeks: 30 }, '78be44d740ad039e'],
])('the web of %o is the one it has always been', (options, digest) => {
  const { site, workload, ...files } = generateModelWeb(options)
  const hash = createHash('sha256').update(JSON.stringify([site, workload]))
  for (const file of [files.pages, files.versions, files.blocks, files.links])
    for (const line of file) hash.update(JSON.stringify(line))
  expect(hash.digest('hex').slice(0, 16)).toBe(digest)
})
