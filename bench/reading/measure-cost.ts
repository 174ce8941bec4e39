/** Parses and indexes pages with the program in a folder: `node measure-cost.ts ROOT PAGES ROUNDS` prints microseconds a page. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const [root, file, rounds] = process.argv.slice(2)
const { parsePage } = await import(join(root, 'src/parse/parse-page.ts'))
const { TextIndex } = await import(join(root, 'src/search/full-text/text-index.ts'))
const { defaultAnalyser } = await import(join(root, 'src/search/full-text/default-search.ts'))
// What is indexed: the main text, once there is one.
const { mainText } = await import(join(root, 'src/parse/page/main-text.ts')).catch(() => ({
  mainText: ({ text }: { text: string }) => text,
}))
const bodies: Buffer[] = JSON.parse(readFileSync(file, 'utf8')).map((html: string) =>
  Buffer.from(html),
)

let parse = Number.POSITIVE_INFINITY
let index = Number.POSITIVE_INFINITY
for (let round = 0; round < Number(rounds); round++) {
  const startedAt = cpuMicroseconds()
  const pages = bodies.map((body, i) =>
    parsePage(body, 'text/html; charset=utf-8', `http://a.test/${i}.html`),
  )
  const parsedAt = cpuMicroseconds()
  const all = new TextIndex(defaultAnalyser)
  for (const [i, page] of pages.entries()) {
    const { title, language } = page
    all.replace(i, {
      url: `http://a.test/${i}`,
      title,
      text: mainText(page),
      anchors: [],
      language,
    })
  }
  parse = Math.min(parse, parsedAt - startedAt)
  index = Math.min(index, cpuMicroseconds() - parsedAt)
}
console.log(JSON.stringify({ parse: parse / bodies.length, index: index / bodies.length }))

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
