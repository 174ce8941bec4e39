import type { Commit } from '#lab/import/commit-calendar.ts'
import type { PublishedImport, UnreadPage } from '#lab/import/published-import.ts'
import { type PublishedSite, pagesToRead } from '#lab/import/published-site.ts'
import { addressOfCname } from '#lab/import/site-paths.ts'
import { decodeBody } from '#parse/text/charset.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { GitRepository } from '#repository/git/git-repository.ts'
import { UsageError } from '../../text/usage-error.ts'
import { Progress } from '../terminal/progress.ts'

/** Far beyond any page; what is larger is left out. */
const MAX_PAGE_BYTES = 1 << 25
const MAX_SMALL_FILE_BYTES = 512_000

/** The tree that was published at each commit; undefined where the folder was not there. */
export async function treesOf(
  repository: GitRepository,
  commits: readonly Commit[],
  root: string,
): Promise<(string | undefined)[]> {
  const trees: (string | undefined)[] = []
  for (const [i, { id }] of commits.entries())
    trees.push(id === commits[i - 1]?.id ? trees[i - 1] : await repository.treeOf(id, root))
  if (trees.every((tree) => tree === undefined))
    throw new UsageError(
      root === ''
        ? 'the repository lacks the files of its commits: try git fsck, or clone it again whole'
        : `--root ${root}: no snapshot of the branch has such a folder`,
    )
  return trees
}

/** A small file in the newest of the trees that has it. */
async function newestFile(
  repository: GitRepository,
  trees: readonly (string | undefined)[],
  path: string,
): Promise<string | undefined> {
  for (const tree of new Set(trees.toReversed())) {
    if (tree === undefined) continue
    const file = await repository.find(`${tree}:${path}`, MAX_SMALL_FILE_BYTES)
    if (file?.type === 'blob' && file.bytes) return decodeBody(file.bytes)
  }
  return undefined
}

export async function addressInTrees(
  repository: GitRepository,
  trees: readonly (string | undefined)[],
): Promise<string> {
  const cname = await newestFile(repository, trees, 'CNAME')
  const address = cname === undefined ? undefined : addressOfCname(cname)
  if (address !== undefined) return address
  const why = cname === undefined ? 'there is no CNAME file that' : 'the CNAME file does not'
  throw new UsageError(
    `${why} ${cname === undefined ? 'tells' : 'tell'} the site's address: name it with --url, such as --url https://example.org/`,
  )
}

export interface States {
  readonly repository: GitRepository
  readonly trees: readonly (string | undefined)[]
  readonly dates: readonly string[]
  readonly site: PublishedSite
  readonly imported: PublishedImport
  readonly shown: boolean
}

/** Goes from state to state and reads what is new in each. */
export async function readStates(states: States): Promise<void> {
  const { repository, trees, dates, site, imported } = states
  const progress = new Progress('import', 'files', await countFiles(states), states.shown)
  let changed = 0
  for (const [i, tree] of trees.entries()) {
    const at = Date.parse(dates[i]) / 1000
    for await (const change of repository.changes(trees[i - 1], tree)) {
      changed += pagesToRead(change)
      site.apply(change)
    }
    const unread = imported.note(site.takeChanges(), at)
    const before = changed - unread.length
    const asked: UnreadPage[] = []
    let read = 0
    for await (const object of repository.read(
      blobsOf(unread, imported, asked, at),
      MAX_PAGE_BYTES,
    )) {
      if (!object) throw new UsageError(missingBlob(asked[read].blob))
      imported.take(asked[read++], at, object.bytes)
      progress.update(before + read, dates[i])
    }
  }
  progress.clear()
}

/** The blobs to read, each page noted as it is asked for; one found to be no page meanwhile is not read again. */
function* blobsOf(
  unread: readonly UnreadPage[],
  imported: PublishedImport,
  asked: UnreadPage[],
  at: number,
): Generator<string> {
  for (const page of unread) {
    if (imported.note([page], at).length === 0) continue
    asked.push(page)
    yield page.blob
  }
}

const missingBlob = (blob: string): string =>
  `the repository lacks the file ${blob} of its history: try git fsck, or clone it again whole`

/** How many files there will be to read; looking for changes is quick, reading is not. */
async function countFiles({ repository, trees, shown }: States): Promise<number> {
  const progress = new Progress('look for changes', 'snapshots', trees.length, shown)
  let files = 0
  for (const [i, tree] of trees.entries()) {
    for await (const change of repository.changes(trees[i - 1], tree)) files += pagesToRead(change)
    progress.update(i + 1, `${files.toLocaleString('en')} files`)
  }
  progress.clear()
  return files
}

/** A robots.txt counts at the root of a host only. */
export async function readRobots(
  repository: GitRepository,
  trees: readonly (string | undefined)[],
  base: string,
  { web }: PublishedImport,
): Promise<void> {
  if (new URL(base).pathname !== '/') return
  const text = await newestFile(repository, trees, 'robots.txt')
  if (text !== undefined) web.add({ kind: 'robots', host: hostOf(base), at: 0, text })
}
