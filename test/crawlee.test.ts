import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { commandsOf, shell } from './followed-page.ts'
import { html, startScriptedSite } from './scripted-site.ts'

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

/** Forty pages; those on herons lie behind links that say so, and come last on their page. */
function pages() {
  const pageOf = (number: number) => {
    const links = [2 * number + 1, 2 * number + 2]
      .filter((other) => other < 40)
      .map((other) => `<a href="/${other}">${other % 4 === 2 ? 'a heron' : 'a stone'} ${other}</a>`)
    return `<title>${number % 4 === 2 ? 'heron' : 'stone'} ${number}</title><p>On ${number}. ${links.join(' ')}`
  }
  const others = Array.from({ length: 39 }, (_, i) => [`/${i + 1}`, html(pageOf(i + 1))] as const)
  return Object.fromEntries([['/', html(pageOf(0))] as const, ...others])
}

test.runIf(isThorough)(
  'the how-to page can be followed: Crawlee fetches by our plan, and keeps its handlers',
  async () => {
    using site = await startScriptedSite(pages())
    const page = readFileSync('docs/how-to/use-crawlee.md', 'utf8')
    const program = /```js\n([\s\S]*?)```/
      .exec(page)![1]
      .replace('https://example.org/', `http://127.0.0.1:${site.port}/`)
      .replace("'forager/crawlee'", `'${resolve('src/crawlee.ts')}'`)
      .replace('delay: 0.1', 'delay: 0')
    writeFileSync(join(root, 'crawl.mjs'), program)
    writeFileSync(join(root, 'queries.csv'), 'query,count\nheron,10\n')
    mkdirSync(join(root, 'node_modules'))
    symlinkSync(resolve('node_modules/@crawlee'), join(root, 'node_modules', '@crawlee'))
    const commands = commandsOf(page)
    expect(commands.length).toBe(4)
    const told: string[] = []
    for (const command of commands) {
      const line = command.replace(/^node /, `${process.execPath} `)
      const { code, stdout, stderr } = await shell(line, root)
      expect(code, `${command}\n${stderr}`).toBe(0)
      told.push(stdout)
    }
    const [, crawled, status, found] = told
    expect(crawled).toMatch(/20 fetches: budget spent/)
    expect(crawled.match(/heron \d+/g)!.length).toBeGreaterThanOrEqual(8) // of ten
    expect(site.asked.length).toBe(20)
    expect(status).toMatch(/mycrawl: 20 fetches, \d+ URLs known/)
    expect(found).toMatch(/heron/)
  },
)
