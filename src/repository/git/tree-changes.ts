import { SettingError } from '#errors/setting-error.ts'
import type { GitObject } from './object-reader.ts'

/** A file that is otherwise in a later tree; a path has one character for each of its bytes. */
export interface FileChange {
  readonly path: string
  /** What it is in the later tree. */
  readonly kind: 'file' | 'symlink' | 'submodule' | 'deleted'
  /** The blob of a file. */
  readonly blob: string
}

/** One line of a tree; `key` is what git sorts by, in which folders end in a slash. */
interface Entry {
  readonly key: string
  readonly mode: string
  readonly id: string
}

/** Two versions of a folder being compared, and how far that has come. */
interface Folder {
  readonly path: string
  readonly before: readonly Entry[]
  readonly after: readonly Entry[]
  atBefore: number
  atAfter: number
}

const FOLDER_MODE = '40000'
/** No file system takes longer paths, nor can such a file have an address. */
const MAX_PATH_CHARS = 4096
const MAX_TREE_BYTES = 1 << 26
/** Entries of all folders on the way down. */
const MAX_HELD_ENTRIES = 5_000_000

/** Where trees come from. */
interface TreeSource {
  /** Names the repository in messages. */
  readonly dir: string
  /** Files and folders that may differ; more is no site. */
  readonly mostChanges: number
  readonly find: (id: string, maxBytes: number) => Promise<GitObject | undefined>
}

/**
 * What changed from one tree to another, files of all folders, in git's order. We compare trees ourselves:
 * `git diff-tree` gathers all changes before it tells the first, and a repository of a few kilobytes whose
 * folders hold each other many times over has more of them than any memory.
 */
export async function* treeChanges(
  source: TreeSource,
  from: string | undefined,
  to: string | undefined,
): AsyncGenerator<FileChange, void> {
  const folders: Folder[] = []
  let held = 0
  let count = 0
  const enter = async (path: string, before: string | undefined, after: string | undefined) => {
    const folder = {
      path,
      before: await entriesOf(source, before),
      after: await entriesOf(source, after),
      atBefore: 0,
      atAfter: 0,
    }
    held += folder.before.length + folder.after.length
    if (held > MAX_HELD_ENTRIES) throw tooMany(source, MAX_HELD_ENTRIES)
    folders.push(folder)
  }
  await enter('', from, to)
  for (let folder = folders.at(-1); folder; folder = folders.at(-1)) {
    const change = nextChange(folder)
    if (!change) {
      folders.pop()
      held -= folder.before.length + folder.after.length
      continue
    }
    if (++count > source.mostChanges) throw tooMany(source, source.mostChanges)
    const [before, after] = change
    const entry = (after ?? before)!
    const path = folder.path + entry.key
    if (entry.mode !== FOLDER_MODE) yield { path, kind: kindOf(after), blob: entry.id }
    else if (path.length <= MAX_PATH_CHARS) await enter(path, before?.id, after?.id)
  }
}

/** The next entry that differs, as it was and as it is; both are of one kind, folder or not. */
function nextChange(folder: Folder): [Entry | undefined, Entry | undefined] | undefined {
  for (;;) {
    let before: Entry | undefined = folder.before[folder.atBefore]
    let after: Entry | undefined = folder.after[folder.atAfter]
    if (!before && !after) return undefined
    if (before && after && before.key !== after.key) {
      if (before.key < after.key) after = undefined
      else before = undefined
    }
    if (before) folder.atBefore++
    if (after) folder.atAfter++
    if (before?.id !== after?.id || before?.mode !== after?.mode) return [before, after]
  }
}

function tooMany({ dir }: TreeSource, most: number): SettingError {
  return new SettingError(
    'git',
    `{git} ${dir}: more than ${most.toLocaleString('en')} files change at once, which no site does; name the folder that is published with {root}`,
  )
}

async function entriesOf({ dir, find }: TreeSource, tree: string | undefined): Promise<Entry[]> {
  if (tree === undefined) return []
  const object = await find(tree, MAX_TREE_BYTES)
  const fault = (what: string) =>
    new SettingError('git', `{git} ${dir}: ${what} ${tree}; try git fsck there`)
  if (!object) throw fault('it lacks the folder')
  if (object.type !== 'tree' || !object.bytes) throw fault('there is no folder that can be read in')
  const bytes = Buffer.from(object.bytes.buffer, object.bytes.byteOffset, object.size)
  const idBytes = tree.length / 2
  const entries: Entry[] = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const end = bytes.indexOf(0, space)
    if (space < 0 || end < 0) throw fault('there are no files that can be read in')
    const mode = bytes.toString('latin1', at, space)
    const name = bytes.toString('latin1', space + 1, end)
    at = end + 1 + idBytes
    const key = mode === FOLDER_MODE ? `${name}/` : name
    entries.push({ key, mode, id: bytes.toString('hex', end + 1, at) })
  }
  return entries
}

function kindOf(entry: Entry | undefined): FileChange['kind'] {
  if (!entry) return 'deleted'
  if (entry.mode === '120000') return 'symlink'
  return entry.mode === '160000' ? 'submodule' : 'file'
}
