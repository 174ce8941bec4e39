import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

/** In the order of the data flow. A room may import only itself and the rooms before it. */
const ROOMS = [
  'errors',
  'numeric',
  'parse',
  'workload',
  'search',
  'importance',
  'frontier',
  'learn',
  'policy',
  'crawl',
  'fetch',
  'repository',
  'archive',
  'library',
  'lab',
  'app',
]
const ROOMS_WITH_IO = ['fetch', 'repository', 'archive', 'library', 'app']
const OUTSIDE_WORLD =
  /from 'node:|import\('node:|\bDate\.now\b|new Date\(\)|Math\.random|(?<![.\w])fetch\(|\bprocess\.|\bperformance\.|\bsetTimeout\b|\bsetInterval\b/

/** A text that speaks of `--budget`, outside of comments. */
const A_FLAG = /^(?!\s*(?:\*|\/)).*['`](?:[^'`]*\s)?--[a-z].*['`]/m

const files = globSync('src/**/*.ts', {
  exclude: (path) => /\.test(-kit)?\.ts$/.test(String(path)),
}).map((path) => {
  const source = readFileSync(path, 'utf8')
  const targets = [...source.matchAll(/\b(?:from|import) ?\(?'([^']+)'/g)].map((match) => match[1])
  return { path, room: roomOf(path), source, targets }
})

/** Files beside the rooms, for other programs: each may import rooms up to one of them. */
const DOORS: Readonly<Record<string, string>> = {
  'crawlee.ts': 'library',
  'forager.ts': 'library',
  'lab.ts': 'app',
}
const MOST_FILES = 16
const MOST_LINES = 350

function roomOf(path: string): string {
  return path.split('/')[1]
}

/** Whether a file may import from a room. */
function mayImport(room: string, other: string): boolean {
  const last = DOORS[room]
  const [own, others] = [ROOMS.indexOf(last ?? room), ROOMS.indexOf(other)]
  return others >= 0 && (last === undefined ? others < own : others <= own)
}

test('all rooms are there, each with a README, and nothing else', () => {
  const rooms = new Set(files.map(({ room }) => room))
  expect([...rooms].filter((room) => !ROOMS.includes(room)).sort()).toEqual(
    Object.keys(DOORS).sort(),
  )
  for (const room of ROOMS) expect(existsSync(`src/${room}/README.md`), room).toBe(true)
})

test('there is one way to crawl a recorded web in the lab', () => {
  const crawlers = files
    .filter(({ path }) => /^src\/(lab|app\/experiments)\//.test(path))
    .filter(({ targets }) => targets.some((target) => /^#crawl\/(crawl|cycle)\.ts$/.test(target)))
  expect(crawlers.map(({ path }) => path)).toEqual(['src/lab/worlds/world-crawl.ts'])
})

const SQL =
  /\bSELECT\b[^;]{1,400}\bFROM\b|\bINSERT INTO\b|\bDELETE FROM\b|\bUPDATE \w+ SET\b|\b(?:CREATE|ALTER|DROP) TABLE\b/

test('SQL lives in the store alone', () => {
  const speakers = files
    .filter(({ room }) => room !== 'repository')
    .filter(
      ({ source, targets }) => SQL.test(source) || targets.some((it) => it.includes('duckdb')),
    )
  expect(speakers.map(({ path }) => path)).toEqual([])
  expect(files.filter(({ source }) => SQL.test(source)).length).toBeGreaterThan(10)
})

/** What `apply` calls. Tables that are read back enact what they tell that was learnt, and learn nothing anew. */
const LEARNING = /import \{[^}]*\b(?:hear|hearLinks|obey|learn[A-Z]\w+)\b[^}]*\} from '#learn\//

test('what a crawl knows changes by apply alone', () => {
  const learners = files.filter(({ room, source }) => room !== 'learn' && LEARNING.test(source))
  expect(learners.map(({ path }) => path)).toEqual([])
})

test('folders do not import each other in circles, types included', () => {
  const imported = new Map<string, Set<string>>()
  for (const { path, targets } of files)
    for (const target of targets.filter((one) => /^[#.]/.test(one))) {
      const file = target.startsWith('#')
        ? target.replace('#', 'src/')
        : join(dirname(path), target)
      const [from, to] = [dirname(path), dirname(file)]
      if (from !== to) imported.set(from, (imported.get(from) ?? new Set()).add(to))
    }
  const reachedFrom = (folder: string) => {
    const reached = new Set(imported.get(folder))
    for (const next of reached) for (const further of imported.get(next) ?? []) reached.add(further)
    return reached
  }
  const circles = [...imported.keys()].filter((folder) => reachedFrom(folder).has(folder))
  expect(circles).toEqual([])
})

test('no folder has more files than one can overlook', () => {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  const full = [...counts].filter(([, count]) => count > MOST_FILES).map(([folder]) => folder)
  expect(full).toEqual([])
})

describe.each(files)('$path', ({ path, room, source, targets }) => {
  test('imports only its own room and earlier ones', () => {
    for (const target of targets) {
      if (target.startsWith('#'))
        expect(mayImport(room, roomOf(target.replace('#', 'src/'))), target).toBe(true)
      if (target.startsWith('.')) expect(roomOf(join(dirname(path), target)), target).toBe(room)
    }
  })

  test('touches the outside world only where that is allowed', () => {
    if (!ROOMS_WITH_IO.includes(room)) expect(OUTSIDE_WORLD.exec(source)?.[0]).toBeUndefined()
  })

  test('names no flag in what it says, unless it is the command line', () => {
    const talksToGit = path.startsWith('src/repository/git/')
    const said = source.replaceAll(/execArgv: \[.*\]|setFlagsFromString\(.*\)/g, '') // to Node
    if (room !== 'app' && !talksToGit) expect(said.match(A_FLAG)?.[0]).toBeUndefined()
  })

  test('is short enough to be read at once', () => {
    expect(source.split('\n').length - 1).toBeLessThanOrEqual(MOST_LINES)
  })

  test('has a name that says what is in it', () => {
    expect(path).not.toMatch(/\/(utils?|helpers?|common|misc|types|core|index)(\.ts|\/)/)
  })
})
