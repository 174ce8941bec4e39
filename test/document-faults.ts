import { basename, dirname, join } from 'node:path'
import type { KnownNames } from './document-names.ts'

/** Flags of other programs that documents speak of. */
const FLAGS_OF_OTHERS = new Set(['--bare', '--help', '--version', '--ignore-scripts', '--access'])
/** Files that a reader of the documents makes. */
const FILES_OF_READERS = new Set([
  'my-policy.ts',
  'titles.mjs',
  'src/workload/formats/read-lines.ts',
  'src/workload/formats/read-lines.test.ts',
])
const ROOTS = /^(src|test|docs|scripts|bench|examples|bin|\.ci|\.github)\//

/** What a document says in back-ticks or code blocks that does not exist, one line each. */
export function faultsOf(path: string, text: string, known: KnownNames): string[] {
  const { prose, blocks } = parted(text)
  const spans = [...prose.matchAll(/(?<!`)`([^`\n]+)`(?!`)/g)].map(([, span]) => span)
  return [
    ...spans.flatMap((span) => [
      ...faultsOfPath(path, span, known),
      ...faultsOfFlag(span, known),
      ...faultsOfKey(span, known),
      ...(span.includes(' ') ? faultsOfLine(span, known) : []),
    ]),
    ...blocks.flatMap(({ language, code }) => faultsOfBlock(language, code, known)),
  ]
}

/** Prose without code blocks, and the blocks with their languages. */
function parted(text: string): { prose: string; blocks: { language: string; code: string }[] } {
  const blocks: { language: string; code: string }[] = []
  const prose = text.replace(/^```(\w*)\n([\s\S]*?)^```$/gm, (_, language, code) => {
    blocks.push({ language, code })
    return ''
  })
  return { prose, blocks }
}

function faultsOfBlock(language: string, code: string, known: KnownNames): string[] {
  if (language === 'json') return faultsOfConfig(code, known)
  if (language !== '' && language !== 'sh') return []
  const lines = code.replace(/\\\n\s*/g, ' ').split('\n')
  return lines.flatMap((line) => faultsOfLine(line, known))
}

/** A line of a shell: every forager command in it, npm scripts, and files of this project. */
function faultsOfLine(line: string, known: KnownNames): string[] {
  const parts = line
    .replace(/(^|\s)#.*$/, '')
    .split(/\|\|?|&&|;|\$\(/)
    .map((part) => part.trim().replace(/^(?:\$|sudo|[A-Z_]+=\S+)\s+/, ''))
  return parts.flatMap((part) => [
    ...faultsOfCommand(part, known),
    ...faultsOfScript(part, known),
    ...part
      .split(/\s+/)
      .filter((word) => ROOTS.test(word) && !/[*…<>$]/.test(word))
      .filter((word) => !known.paths.has(word.replace(/\/$/, '')))
      .map((word) => `no such file: ${word}`),
  ])
}

function faultsOfCommand(part: string, known: KnownNames): string[] {
  const match = /^(?:npx )?forager(?:\s+(.*))?$|^node bin\/forager\.js(?:\s+(.*))?$/.exec(part)
  if (!match) return []
  const words = (match[1] ?? match[2] ?? '').split(/\s+/).filter((word) => word !== '')
  let command = ''
  while (words.length > 0) {
    const longer = command === '' ? words[0] : `${command} ${words[0]}`
    if (!known.commands.has(longer)) break
    command = longer
    words.shift()
  }
  const below = [...known.commands].filter(([other]) => isBelow(other, command))
  const next = words[0] ?? ''
  if (below.length > 0 && /^[a-z]/.test(next))
    return [
      `no such command: ${['forager', command, next].filter((word) => word !== '').join(' ')}`,
    ]
  // `lab run NAME --archive DIR` stands for all of them.
  const meant =
    below.length > 0 && /^[A-Z…<]/.test(next)
      ? below
      : [[command, known.commands.get(command)] as const]
  const flags = new Set(meant.flatMap(([, own]) => [...(own ?? [])]))
  return words
    .map((word) => /^--[a-z][a-z-]*/.exec(word)?.[0])
    .filter((flag) => flag !== undefined && flag !== '--help' && !flags.has(flag))
    .map((flag) => `forager ${command} has no ${flag}`)
}

function isBelow(command: string, parent: string): boolean {
  return parent === '' ? command !== '' : command.startsWith(`${parent} `)
}

function faultsOfScript(part: string, known: KnownNames): string[] {
  const [, script, bench] = /^npm run ([\w:-]+)(?: -- ([a-z]\S*))?/.exec(part) ?? []
  if (script === undefined) return []
  if (!known.scripts.has(script)) return [`no such npm script: ${script}`]
  return script === 'bench' && bench !== undefined && !known.benchmarks.has(bench)
    ? [`no such benchmark: ${bench}`]
    : []
}

function faultsOfFlag(span: string, known: KnownNames): string[] {
  const flag = /^--[a-z][a-z-]*/.exec(span)?.[0]
  if (flag === undefined || FLAGS_OF_OTHERS.has(flag)) return []
  const isKnown = [...known.commands.values()].some((flags) => flags.has(flag))
  return isKnown ? [] : [`no command has ${flag}`]
}

function faultsOfKey(span: string, known: KnownNames): string[] {
  const group = /^([a-z]+)\.(?!ts$|md$|js$)[a-zA-Z]+$/.exec(span)?.[1]
  const isOfGroup = [...known.settings].some((key) => key.startsWith(`${group}.`))
  return isOfGroup && !known.settings.has(span) ? [`no such setting: ${span}`] : []
}

/** A block that sets something is a config file: every key of it must be a setting. */
function faultsOfConfig(code: string, known: KnownNames): string[] {
  // Whoever has fields names them as he likes.
  const { fields: _, ...others } = JSON.parse(code)
  const keys = leavesOf(others, '')
  return keys
    .filter((key) => key !== '$schema' && !known.settings.has(key))
    .map((key) => `no such setting: ${key}`)
}

function leavesOf(value: unknown, prefix: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [prefix]
  return Object.entries(value).flatMap(([key, inner]) =>
    leavesOf(inner, prefix === '' ? key : `${prefix}.${key}`),
  )
}

/** Sources, scripts and documents are named from the root, from `src/`, from beside the document, or by file name. */
function faultsOfPath(document: string, span: string, known: KnownNames): string[] {
  const isFile = /^[\w.@/-]+\.(ts|js|mjs|md|sh|py|svg)$/.test(span)
  const isFolder = /^[\w.@-]+\/([\w.@-]+\/)*$/.test(span)
  if (FILES_OF_READERS.has(span)) return []
  const path = span.replace(/\/$/, '')
  if (isFolder) {
    const isOurs = ROOTS.test(span) || known.paths.has(join('src', path.split('/')[0]))
    return isOurs && !candidates(document, path).some((place) => known.paths.has(place))
      ? [`no such folder: ${span}`]
      : []
  }
  if (!isFile) return []
  if (!span.includes('/')) return isNear(document, span, known) ? [] : [`no such file: ${span}`]
  return candidates(document, path).some((place) => known.paths.has(place))
    ? []
    : [`no such file: ${span}`]
}

/** A room's README names its own files; other documents may name any file of the project. */
function isNear(document: string, fileName: string, known: KnownNames): boolean {
  if (!document.startsWith('src/')) return known.fileNames.has(fileName)
  const room = `${dirname(document)}/`
  return [...known.paths].some((path) => path.startsWith(room) && basename(path) === fileName)
}

function candidates(document: string, path: string): string[] {
  return [path, join('src', path), join(dirname(document), path)]
}
