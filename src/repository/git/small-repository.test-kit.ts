import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'forager-git-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Files to write by path; null deletes, and `{ link }` is a symbolic link. */
export type Files = Readonly<Record<string, string | Uint8Array | null | { readonly link: string }>>

/** A real git repository, small enough for a test. */
export interface SmallRepository {
  readonly dir: string
  /** Runs git in it, and gives what it prints. */
  git(...args: string[]): string
  /** Writes files and commits them at a time, such as 2026-01-05T12:00:00Z; gives the commit. */
  commit(time: string, files: Files): string
}

/** Makes an empty repository, in its own folder below `parent`. */
export function smallRepository(parent = temporaryFolder(), name = 'site'): SmallRepository {
  const dir = join(parent, name)
  mkdirSync(dir, { recursive: true })
  const git = (...args: string[]) => runGit(dir, args)
  git('init', '--quiet', '--initial-branch=main')
  return {
    dir,
    git,
    commit: (time, files) => {
      for (const [path, content] of Object.entries(files)) put(join(dir, path), content)
      git('add', '--all')
      runGit(dir, ['commit', '--quiet', '--allow-empty', '--message=x'], time)
      return git('rev-parse', 'HEAD').trim()
    },
  }
}

function put(path: string, content: Files[string]): void {
  rmSync(path, { recursive: true, force: true })
  if (content === null) return
  mkdirSync(dirname(path), { recursive: true })
  if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, path)
  else writeFileSync(path, content)
}

function runGit(dir: string, args: readonly string[], time?: string): string {
  const person = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.org']
  return execFileSync(
    'git',
    [...person, '-c', 'commit.gpgSign=false', '-c', 'core.compression=0', ...args],
    {
      cwd: dir,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: dir,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        ...(time !== undefined && { GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time }),
      },
    },
  )
}
