import { statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { SettingError } from '#errors/setting-error.ts'
import { ByteReader } from './byte-reader.ts'
import { type GitObject, ObjectReader } from './object-reader.ts'
import { gitFailure, gitOutput, startGit } from './run-git.ts'
import { type FileChange, treeChanges } from './tree-changes.ts'

interface GitCommit {
  readonly id: string
  /** The committer's date, in seconds since 1970. */
  readonly at: number
}

const LINE_END = 0x0a
const SHOWN_BRANCHES = 8
/** Folders that hold each other many times over make endless files of a few bytes. */
const MOST_CHANGES = 2_000_000

/** A git repository, bare or not, to be read; nothing of it is checked out, changed or run. */
export class GitRepository {
  readonly #dir: string
  readonly #objects: ObjectReader
  readonly #mostChanges: number
  /** Whether the clone lacks the older part of its history. */
  readonly isShallow: boolean

  private constructor(dir: string, objects: ObjectReader, isShallow: boolean, mostChanges: number) {
    this.#dir = dir
    this.#mostChanges = mostChanges
    this.#objects = objects
    this.isShallow = isShallow
  }

  /**
   * Opens the repository in a folder; a fault of the folder is a `SettingError`. So is a state in which more
   * files than `mostChanges` differ from the one before.
   */
  static async open(folder: string, mostChanges = MOST_CHANGES): Promise<GitRepository> {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (!found && /^[\w.+-]+(?::\/\/|@[\w.-]+:)/.test(folder))
      throw new SettingError(
        'git',
        `{git} ${folder}: an address; clone it first (git clone --bare) and name the folder`,
      )
    if (!found?.isDirectory()) throw new SettingError('git', `{git} ${folder}: no such folder`)
    const dir = await realpath(folder)
    const shallow = await gitOutput(dir, ['rev-parse', '--is-shallow-repository'])
    if (/not a git repository/i.test(shallow.stderr))
      throw new SettingError(
        'git',
        `{git} ${folder} is no git repository: name the folder with .git in it, or a bare one`,
      )
    if (shallow.code !== 0) throw gitFailure(dir, shallow)
    const objects = await ObjectReader.open(dir)
    return new GitRepository(dir, objects, shallow.stdout.trim() === 'true', mostChanges)
  }

  /** The newest commit of a branch, here or at `origin`; without a name that of HEAD. */
  async tipOf(branch: string | undefined): Promise<string> {
    const names =
      branch === undefined
        ? ['HEAD']
        : [`refs/heads/${branch}`, `refs/remotes/origin/${branch}`, branch]
    for (const name of names) {
      const commit = name.includes('\n') ? undefined : await this.find(`${name}^{commit}`, 0)
      if (commit) return commit.id
    }
    const known = await this.#branches()
    if (known.length === 0) throw new SettingError('git', `{git} ${this.#dir} has no commits yet`)
    const what = branch === undefined ? 'HEAD names no commit' : `no branch "${branch}"`
    throw new SettingError(
      'git',
      `{git} ${this.#dir}: ${what}; choose {branch} ${known.join(', ')}`,
    )
  }

  /** The commits from a tip back along first parents. */
  async *commits(tip: string): AsyncGenerator<GitCommit, void> {
    const git = await startGit(this.#dir, ['rev-list', '--first-parent', '--timestamp', tip, '--'])
    git.stdin.end()
    const lines = new ByteReader(git.stdout)
    try {
      for (let line = await lines.field(LINE_END); line; line = await lines.field(LINE_END)) {
        const [at, id] = line.split(' ')
        yield { id, at: Number(at) }
      }
    } finally {
      git.stdout.destroy() // git ends too if nobody reads on
    }
    const end = await git.ended
    if (end.code !== 0) throw gitFailure(this.#dir, end)
  }

  /** The tree of a commit, or of a folder in it; undefined if that is not there. */
  async treeOf(commit: string, folder: string): Promise<string | undefined> {
    const tree = await this.find(`${commit}:${folder}`, 0)
    return tree?.type === 'tree' ? tree.id : undefined
  }

  /** What changed from one tree to another, files of all folders; no tree counts as empty. */
  changes(from: string | undefined, to: string | undefined): AsyncGenerator<FileChange, void> {
    const find = (id: string, maxBytes: number) => this.find(id, maxBytes)
    return treeChanges({ dir: this.#dir, mostChanges: this.#mostChanges, find }, from, to)
  }

  /** One object by any name git understands, such as `TREE:CNAME`. */
  find(name: string, maxBytes: number): Promise<GitObject | undefined> {
    return this.#objects.find(name, maxBytes)
  }

  /** Objects by name, in order; those of more than `maxBytes` come without their bytes. */
  read(names: Iterable<string>, maxBytes: number): AsyncGenerator<GitObject | undefined, void> {
    return this.#objects.read(names, maxBytes)
  }

  async close(): Promise<void> {
    await this.#objects.close()
  }

  async #branches(): Promise<string[]> {
    const format = ['--format=%(refname:short)', `--count=${SHOWN_BRANCHES}`]
    const { stdout } = await gitOutput(this.#dir, [
      'for-each-ref',
      ...format,
      'refs/heads',
      'refs/remotes',
    ])
    return stdout.split('\n').filter(Boolean)
  }
}
