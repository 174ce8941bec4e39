import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Archive } from '#archive/format/archive.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { seededRandom } from '#numeric/random.ts'
import {
  type SmallRepository,
  smallRepository,
  temporaryFolder,
} from '#repository/git/small-repository.test-kit.ts'
import { mistakeText } from '../settings/complaint.ts'
import { day, type GitImportOptions, importGit } from './lab-import-git.ts'
import type { GitImportFound } from './lab-import-git-summary.ts'

const HOME = 'https://www.example.org/'
const html = (title: string, body = '') => `<!doctype html><title>${title}</title><p>${body}`
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')

/** Imports as the command does; gives what it says, and the archive as it lies on the disk. */
async function importOf({ dir }: { dir: string }, options: Partial<GitImportOptions> = {}) {
  const out = join(temporaryFolder(), 'imported')
  const notes: string[] = []
  let found: unknown
  let text = ''
  await importGit(
    { git: dir, out, id: 'x', name: 'X', stepDays: 7, start: [], replace: false, ...options },
    {
      json: true,
      note: (note) => notes.push(note),
      result: (value, inWords) => {
        found = value
        text = inWords()
      },
    },
  )
  return {
    archive: await readArchive(out),
    found: found as GitImportFound,
    text,
    notes: notes.join('\n'),
  }
}

/** Title, redirect target or absence of a page at each snapshot. */
function shownAt(archive: Archive, url: string): string[] {
  return archive.site.snapshots.map(({ i }) => {
    const answer = new RecordedWeb(archive, i).answer(url)
    if (answer.kind === 'redirect') return `to ${answer.target}`
    return answer.kind === 'page' ? answer.page.title : answer.kind
  })
}

/** A site of five weeks: pages come, change, move and go. */
function fiveWeeks(): SmallRepository {
  const repository = smallRepository()
  repository.commit('2026-01-05T12:00:00Z', {
    CNAME: 'www.example.org\n',
    'index.html': html('Home', links('/news/', 'about', 'old.html')),
    'news/index.html': html('News', links('/news/first.html', '../index.html')),
    'news/first.html': html('First'),
    'about.html': html('About'),
    'old.html': html('Old'),
    'orphan.html': html('Orphan', links('/alone.html')),
    'alone.html': html('Alone'),
    'robots.txt': 'User-agent: *\nDisallow: /private/\n',
    'style.css': 'p { color: red }',
  })
  repository.commit('2026-01-14T23:59:59Z', {
    'news/index.html': html('News 2', links('/news/first.html', '/news/second.html')),
    'news/second.html': html('Second'),
  })
  // Two commits in one week: the last one counts.
  repository.commit('2026-01-20T01:00:00Z', { 'about.html': html('Never seen') })
  repository.commit('2026-01-20T02:00:00Z', {
    'about.html': html('About us'),
    'news/first.html': null,
    'old.html': `<meta http-equiv="refresh" content="0; url=${HOME}about">`,
  })
  repository.commit('2026-02-02T12:00:00Z', {
    'about.html': html('About'),
    'news/first.html': html('First'),
  })
  return repository
}

describe('a git history becomes an archive', () => {
  test('of weekly snapshots, in which pages come, change, redirect and go', async () => {
    const { archive, found, text, notes } = await importOf(fiveWeeks())
    expect(notes).toBe('')
    expect(text).toMatch(
      /left out 2 pages that no link leads to from https:\/\/www\.example\.org\//,
    )
    expect(found).toMatchObject({
      ...{ pages: 6, versions: 9, snapshots: 5, from: '2026-01-05', to: '2026-02-02' },
      // 7 + 2 + 2 files; in the last week two come back that were read before.
      ...{ start: [HOME], commits: 5, files: 11, unreachable: 2, emptySnapshots: 0 },
    })
    expect(archive.site.snapshots.map(({ date, live }) => [date, live])).toEqual([
      ['2026-01-05', 5],
      ['2026-01-12', 5],
      ['2026-01-19', 6],
      ['2026-01-26', 5],
      ['2026-02-02', 6],
    ])
    expect(archive.site).toMatchObject({
      origin: HOME,
      source: { repository: 'site', branch: 'HEAD', stepDays: 7, unreachable: 2 },
      robots: { 'www.example.org': 'User-agent: *\nDisallow: /private/\n' },
    })
    const shown = (path: string) => shownAt(archive, HOME + path)
    const moved = `to ${HOME}about.html`
    expect(shown('news/')).toEqual(['News', 'News', 'News 2', 'News 2', 'News 2'])
    expect(shown('news/second.html')).toEqual(['gone', 'gone', 'Second', 'Second', 'Second'])
    expect(shown('news/first.html')).toEqual(['First', 'First', 'First', 'gone', 'First'])
    expect(shown('about.html')).toEqual(['About', 'About', 'About', 'About us', 'About'])
    expect(shown('old.html')).toEqual(['Old', 'Old', 'Old', moved, moved])
    expect(shown('orphan.html')[0]).toBe('unknown')
    const about = archive.pageOfUrl(`${HOME}about.html`)!
    expect(archive.versionAt(about, 4)).toBe(archive.versionAt(about, 0))
  })

  test('whose links lead to the pages that the server would send', async () => {
    const { archive } = await importOf(fiveWeeks())
    const targets = (url: string) =>
      [...archive.linksOf(archive.versionAt(archive.pageOfUrl(url)!, 0)!)].map((link) => [
        archive.linkUrl(link),
        archive.linkAnchor(link),
        archive.linkPage(link) !== undefined,
      ])
    expect(targets(HOME)).toEqual([
      [`${HOME}news/`, '/news/', true],
      [`${HOME}about.html`, 'about', true],
      [`${HOME}old.html`, 'old.html', true],
    ])
    expect(targets(`${HOME}news/`)[1]).toEqual([HOME, '../index.html', true])
  })

  test('of the days, branch, folder and address that the user chooses', async () => {
    const repository = smallRepository()
    repository.commit('2026-01-05T12:00:00Z', { 'README.md': 'nothing yet' })
    repository.git('switch', '--quiet', '--create', 'pages')
    repository.commit('2026-01-08T12:00:00Z', { 'public/start.html': html('One') })
    repository.commit('2026-01-20T12:00:00Z', { 'public/start.html': html('Two') })
    repository.commit('2026-01-21T12:00:00Z', { 'public/start.html': html('Three') })
    repository.git('switch', '--quiet', 'main')
    const page = 'https://example.org/docs/start.html'
    const place = { branch: 'pages', root: './public/', url: 'https://example.org/docs' }
    const chosen = { ...place, start: ['https://example.org/docs/start'] }
    const { archive: weekly } = await importOf(repository, chosen)
    expect(weekly.site.start).toEqual([page])
    expect(weekly.site.snapshots.map(({ date }) => date)).toEqual(['2026-01-14', '2026-01-21'])
    expect(shownAt(weekly, page)).toEqual(['One', 'Three'])
    const range = { from: '2026-01-19', to: '2026-01-22', stepDays: 1 }
    const { archive: daily } = await importOf(repository, { ...chosen, ...range })
    expect(daily.site.snapshots[0].date).toBe('2026-01-19')
    expect(shownAt(daily, page)).toEqual(['One', 'Two', 'Three', 'Three'])
  })

  test('of its pages only: what else is called .html is left out and counted', async () => {
    const repository = smallRepository()
    const names = ['a b%23.html', 'latin.html', 'bin.html', 'link.html', 'huge.html', 'lfs.html']
    repository.commit('2026-01-05T12:00:00Z', {
      'index.html': html('Home', links(...names, 'feed.html')),
      'index.htm': html('Second choice'),
      'sub/index': html('Folder'),
      'a b#.html': html('Odd name', links('sub/')),
      'latin.html': Buffer.from('<meta charset=iso-8859-1><title>Caf\xe9</title>', 'latin1'),
      'bin.html': Buffer.from([60, 0, 1, 2]),
      'link.html': { link: 'latin.html' },
      'huge.html': Buffer.alloc((1 << 25) + 1, 'x'),
      'lfs.html': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n',
      'feed.html': '<?xml version="1.0"?><rss><channel></channel></rss>',
      [`${`${'long'.repeat(50)}/`.repeat(10)}x.html`]: html('Too long'),
    })
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},module`)
    repository.git('commit', '--quiet', '--amend', '--no-edit')
    const { archive, found, notes } = await importOf(repository, { url: HOME })
    expect(found.leftOut).toEqual({
      ...{ tooLarge: 1, binary: 1, lfsPointers: 1, noPages: 1 },
      ...{ symlinks: 1, submodules: 1, badNames: 1 },
    })
    expect(notes).toMatch(/files left out: 1 \(too large\), 1 \(binary\)/)
    const titles = [...archive.livePages(0)].map((page) => [
      archive.urlOf(page),
      archive.titleOf(archive.versionAt(page, 0)!),
    ])
    expect(Object.fromEntries(titles)).toEqual({
      [HOME]: 'Home',
      [`${HOME}a%20b%23.html`]: 'Odd name',
      [`${HOME}latin.html`]: 'Café',
      [`${HOME}sub/`]: 'Folder',
    })
  })
})

test('every snapshot shows what lay in the repository at the end of its day', async () => {
  const random = seededRandom(11)
  const repository = smallRepository()
  const names = ['a.html', 'b.html', 'sub/index.html', 'sub/index.htm', 'sub/c.html']
  const home = links('a.html', 'b.html', 'sub/', 'sub/c.html')
  const now = new Map<string, string>()
  const endOfDay = new Map<string, Map<string, string>>()
  let at = Date.parse('2026-01-01T00:00:00Z')
  for (let round = 0; round < 14; round++) {
    const changed: Record<string, string | null> = { 'index.html': html(`Home ${round}`, home) }
    for (const name of names)
      if (random.chance(0.4)) changed[name] = random.chance(0.3) ? null : html(`${random.below(4)}`)
    for (const [name, content] of Object.entries(changed))
      if (content === null) now.delete(name)
      else now.set(name, content)
    repository.commit(new Date(at).toISOString(), changed)
    endOfDay.set(new Date(at).toISOString().slice(0, 10), new Map(now))
    at += random.below(60) * 3_600_000 // some days have two commits, some none
  }
  const { archive } = await importOf(repository, { url: HOME, stepDays: 2 })
  expect(archive.snapshotCount).toBeGreaterThan(5)
  for (const { i, date } of archive.site.snapshots) {
    const files = endOfDay.get([...endOfDay.keys()].findLast((day) => day <= date)!)!
    const titleOf = (name: string) => /<title>(.*)<\/title>/.exec(files.get(name) ?? '')?.[1]
    const expected = {
      '': titleOf('index.html'),
      'a.html': titleOf('a.html'),
      'b.html': titleOf('b.html'),
      'sub/': titleOf('sub/index.html') ?? titleOf('sub/index.htm'),
      'sub/c.html': titleOf('sub/c.html'),
    }
    for (const [path, title] of Object.entries(expected))
      expect(shownAt(archive, HOME + path)[i], `${date} ${path}`).toBe(title ?? 'gone')
  }
})

describe('the user is told', () => {
  test('that a site was taken away', async () => {
    const repository = smallRepository()
    repository.commit('2026-01-05T12:00:00Z', { 'index.html': html('Home'), CNAME: 'example.org' })
    repository.commit('2026-01-20T12:00:00Z', { 'index.html': null, CNAME: null, README: 'moved' })
    const { archive, notes } = await importOf(repository)
    expect(notes).toMatch(/the last snapshot, up to 2026-01-20, has no page: .* earlier --to/)
    expect(shownAt(archive, 'https://example.org/')).toEqual(['Home', 'Home', 'gone'])
  })

  test('that a clone is shallow, and that files look like sources', async () => {
    const repository = smallRepository()
    repository.commit('2026-01-05T12:00:00Z', { 'index.html': 'x' })
    repository.commit('2026-01-20T12:00:00Z', { 'index.html': '---\nlayout: default\n---\n<p>Hi' })
    const dir = join(temporaryFolder(), 'clone')
    repository.git('clone', '--quiet', '--bare', '--depth=1', `file://${repository.dir}`, dir)
    const { found, notes } = await importOf({ dir }, { url: HOME })
    expect(found).toMatchObject({ pages: 1, versions: 1, snapshots: 1, from: '2026-01-20' })
    expect(notes).toMatch(/is a shallow clone: what was before 2026-01-20 is not in it/)
    expect(notes).toMatch(/looks like the source of the site/)
  })
})

test.each<[string, Partial<GitImportOptions>, RegExp]>([
  ['no address', {}, /there is no CNAME file .* --url https:\/\/example\.org\//],
  ['a bad address', { url: 'home' }, /--url home: a full address is needed/],
  ['a branch that is not there', { branch: 'no' }, /no branch "no"; choose --branch main/],
  ['a folder that is not there', { url: HOME, root: 'no' }, /--root no: no snapshot/],
  ['a folder outside', { url: HOME, root: '../x' }, /--root \.\.\/x: name a folder/],
  ['a range before all commits', { to: '2020-01-01' }, /before the first commit, of 2026-01-05/],
  ['a range after all commits', { from: '2027-01-01' }, /after the last commit, of 2026-01-12/],
  ['an empty range', { from: '2026-01-08', to: '2026-01-07' }, /is after --to 2026-01-07/],
  ['no home page', { url: HOME }, /never was a page at .*--start https:\/\/www.example.org\/a/],
  ['a start that is none', { url: HOME, start: [`${HOME}no`] }, /--start .*no: there never was/],
  ['no pages', { url: HOME, root: 'empty' }, /no HTML file .* another --branch/],
])('a mistake gets a line that helps: %s', async (_, options, message) => {
  const repository = smallRepository()
  repository.commit('2026-01-05T12:00:00Z', { 'a.html': html('A'), 'empty/x.css': 'x' })
  repository.commit('2026-01-12T12:00:00Z', { 'a.html': html('B') })
  const out = join(repository.dir, '..', 'none')
  const told = await importOf(repository, { out, ...options }).then(() => '', mistakeText)
  expect(told).toMatch(message)
  expect(existsSync(out)).toBe(false)
})

test('a day is a day of the calendar', () => {
  expect(day('2024-02-29')).toBe('2024-02-29')
  for (const text of ['2026-02-29', '2026-1-1', 'today', '', '2026-13-01'])
    expect(() => day(text)).toThrow(/must be a day/)
})

test('a file that is no page is not read again for each of its names', async () => {
  const repository = smallRepository()
  const names = Array.from({ length: 300 }, (_, i) => [`${i}.html`, '\0 no page'])
  repository.commit('2026-01-05T12:00:00Z', {
    ...Object.fromEntries(names),
    'index.html': html('Home'),
  })
  const { found, archive } = await importOf(repository, { url: HOME })
  expect(found.leftOut.binary).toBe(1)
  expect(found.files).toBeLessThan(100) // some were asked for before the first was known
  expect(archive.pageCount).toBe(1)
})
