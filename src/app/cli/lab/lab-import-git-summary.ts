import { said } from '../../text/said.ts'
import { some } from '../terminal/output.ts'
import { type WrittenArchive, writtenLines } from './written-archive.ts'

/** What an import of a git history came to; the result of `--json`. */
export interface GitImportFound extends WrittenArchive {
  readonly commits: number
  readonly files: number
  readonly unreachable: number
  readonly emptySnapshots: number
  readonly sources: number
  readonly leftOut: Readonly<Record<string, number>>
  readonly seconds: number
}

/** The result in words. */
export function gitImportSummary(found: GitImportFound): string {
  return said(
    `read ${some(found.files, 'file')} of ${some(found.commits, 'commit')}`,
    found.unreachable > 0 &&
      `left out ${some(found.unreachable, 'page')} that no link leads to from ${found.start.join(', ')}`,
    ...writtenLines(found, found.seconds),
  ).join('\n')
}

const REASONS: Readonly<Record<string, string>> = {
  tooLarge: 'too large',
  binary: 'binary',
  lfsPointers: 'kept by git-lfs, so not in the repository',
  noPages: 'a feed or sitemap',
  symlinks: 'a symbolic link',
  submodules: 'a submodule',
  badNames: 'a name too long for an address',
}

/** What the user may want to know, or do otherwise. */
export function gitImportAdvice({
  leftOut,
  sources,
  files,
  emptySnapshots,
  to,
}: GitImportFound): string[] {
  const left = Object.entries(leftOut)
    .filter(([, number]) => number > 0)
    .map(([why, number]) => `${number.toLocaleString('en')} (${REASONS[why]})`)
  return said(
    left.length > 0 && `files left out: ${left.join(', ')}`,
    sources >= files / 2 &&
      'most files open with front matter (---): this looks like the source of the site, not what is published; is that on another --branch, such as gh-pages?',
    emptySnapshots > 0 &&
      `the last ${emptySnapshots === 1 ? 'snapshot' : `${emptySnapshots} snapshots`}, up to ${to}, ${emptySnapshots === 1 ? 'has' : 'have'} no page: the site was taken away; an earlier --to leaves ${emptySnapshots === 1 ? 'it' : 'them'} out`,
  )
}
