import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The names that documents may use, each as the program itself has it. */
export interface KnownNames {
  /** Commands without `forager`, the program itself as an empty text, with their flags. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>
  /** Keys of the config file, as in `politeness.delaySeconds`. */
  readonly settings: ReadonlySet<string>
  readonly scripts: ReadonlySet<string>
  readonly benchmarks: ReadonlySet<string>
  /** Files and folders from the root; folders without a slash at the end. */
  readonly paths: ReadonlySet<string>
  readonly fileNames: ReadonlySet<string>
}

/** Commands and settings are read from their reference pages, which are generated and tested to be current. */
export function readKnownNames(): KnownNames {
  const paths = globSync('**', {
    exclude: (path) => /(^|\/)(node_modules|dist|\.git)(\/|$)/.test(String(path)),
  })
  return {
    commands: commandsOf(readFileSync('docs/reference/commands.md', 'utf8')),
    settings: new Set(
      [
        ...readFileSync('docs/reference/configuration.md', 'utf8').matchAll(/^\| `([\w.]+)` \|/gm),
      ].map(([, key]) => key),
    ),
    scripts: new Set(Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts)),
    benchmarks: new Set(globSync('bench/*.ts').map((path) => basename(path, '.ts'))),
    paths: new Set([...paths, '.ci', '.ci/run', '.github', ...globSync('.github/**')]),
    fileNames: new Set(paths.map((path) => basename(path))),
  }
}

function commandsOf(page: string): Map<string, Set<string>> {
  const sections = page.split(/^## forager ?/m).slice(1)
  return new Map(
    sections.map((section) => {
      const [words] = section.split('\n')
      const flags = [...section.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm)]
      return [words.trim(), new Set(flags.map(([, flag]) => flag))]
    }),
  )
}
