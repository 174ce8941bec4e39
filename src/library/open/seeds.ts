import { readFileSync } from 'node:fs'
import { SettingError } from '#errors/setting-error.ts'
import { canonicalUrl, MAX_URL_CHARS } from '#parse/url/canonical-url.ts'
import type { NoteListener } from './crawl-note.ts'

/** Canonical seed URLs from arguments and, if named, a file with one a line (# begins a comment). */
export function readSeeds(
  args: readonly string[],
  file?: string,
  note: NoteListener = () => {},
): string[] {
  const fromArgs = args.map((text) => seedUrl(text, '', note))
  return file === undefined ? fromArgs : [...fromArgs, ...readSeedFile(file, note)]
}

function readSeedFile(file: string, note: NoteListener): string[] {
  const seeds = readUserFile(file, 'seeds')
    .split(/\r?\n/)
    .map((line, i) => ({
      text: line.replace(/(^|\s)#.*$/, '').trim(),
      where: ` (${file}, line ${i + 1})`,
    }))
    .filter(({ text }) => text !== '')
    .map(({ text, where }) => seedUrl(text, where, note))
  if (seeds.length === 0)
    throw new SettingError(
      'seeds',
      `${file} has no seed URLs: write one a line, as in https://example.org/`,
    )
  return seeds
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)|^[^/?#]*:\/\//i

/** What an address that people type may stand for, the likeliest first: without a scheme it may be either. */
export function meantUrls(text: string): string[] {
  const [url] = readSeeds([text])
  return HAS_SCHEME.test(text) ? [url] : [url, url.replace(/^https:/, 'http:')]
}

/** `example.org` is meant as https://example.org/. */
function seedUrl(text: string, where: string, note: NoteListener): string {
  if (text.length > MAX_URL_CHARS)
    throw new SettingError(
      'seeds',
      `"${text.slice(0, 60)}…" is longer than ${MAX_URL_CHARS} characters${where}: name a shorter address`,
    )
  const url = canonicalUrl(HAS_SCHEME.test(text) ? text : `https://${text}`)
  if (url === undefined)
    throw new SettingError(
      'seeds',
      `"${text}" is not a web address${where}: write it as https://example.org/`,
    )
  if (/^[^/?#]*:?\/\/[^/?#]*@/.test(text)) note({ kind: 'credentials dropped', seed: url })
  return url
}

/** A file the user named, or a complaint that names the setting too. */
function readUserFile(file: string, setting: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    const isAddress = /^https?:/.test(file)
    const absent = `there is no such file${isAddress ? '; addresses are named without it' : ''}`
    const what = code === 'ENOENT' ? absent : `it cannot be read (${code})`
    throw new SettingError(setting, `{${setting}} ${file}: ${what}`, { cause })
  }
}
