import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { type CrawlOptions, openCrawl, readStatus } from '../src/forager.ts'
import { html, startScriptedSite } from './scripted-site.ts'

const PAGES = 75
const STRAY_LINKS = 3

test.runIf(isThorough)(
  'links that are left alone are counted from the beginning on, each once, over runs and kills',
  async () => {
    const folder = temporaryFolder()
    using site = await startScriptedSite(pages())
    const how: CrawlOptions = {
      ...{ seeds: ['http://own.test/'], scope: 'host', policy: 'bfs', batch: 40, warc: false },
      ...{ delay: 0, resolve: [site.resolve], allowPrivate: true },
    }
    const dir = join(folder, 'whole')
    const copies: string[] = []
    let outcomes = 0
    const outcome = () => {
      if (++outcomes !== 10 && outcomes !== 70) return
      copies.push(join(folder, `killed-after-${outcomes}`))
      // What lies there in the middle of a cycle is what a kill would leave.
      cpSync(dir, copies.at(-1)!, { recursive: true })
    }
    const whole = await openCrawl({ ...how, dir, budget: 1_000 })
    const { outOfScope } = await whole.run({ on: { outcome } })
    await whole.close()
    expect(outOfScope).toEqual({ "outside the seeds' host": STRAY_LINKS * (1 + PAGES) })
    expect((await readStatus(dir)).outOfScope).toEqual(outOfScope)

    for (const copy of copies) {
      const [counted] = Object.values((await readStatus(copy)).outOfScope ?? {})
      expect(counted).toBeGreaterThan(0)
      for (const budget of [80, 1_000]) {
        await using crawl = await openCrawl({ ...how, dir: copy, budget })
        await crawl.run()
      }
      expect((await readStatus(copy)).outOfScope).toEqual(outOfScope)
    }
    expect(copies).toHaveLength(2)
  },
)

function pages() {
  const strays = (page: number) =>
    Array.from({ length: STRAY_LINKS }, (_, i) => `<a href="http://other${page}.test/${i}">x</a>`)
  const numbers = Array.from({ length: PAGES }, (_, i) => i + 1)
  const hub = numbers.map((page) => `<a href="/${page}">page ${page}</a>`)
  return Object.fromEntries([
    ['/', html(`${hub.join('')}${strays(0).join('')}`)],
    ...numbers.map((page) => [`/${page}`, html(`page ${page}${strays(page).join('')}`)]),
  ])
}
