import type { ParsedPage } from '../page/page.ts'
import { type DocumentProperties, DocumentText } from './document-text.ts'

/** Groups whose text is not the document's. */
const SILENT = new Set(
  'fonttbl colortbl stylesheet pict object header footer headerl headerr headerf footerl footerr footerf generator listtable listoverridetable revtbl rsidtbl themedata datastore xmlnstbl latentstyles fldinst info'.split(
    ' ',
  ),
)
const PROPERTIES: Readonly<Record<string, keyof DocumentProperties>> = {
  title: 'title',
  author: 'author',
  subject: 'description',
}
const SIGNS: Readonly<Record<string, string>> = {
  ...{ emdash: '—', endash: '–', lquote: '‘', rquote: '’', ldblquote: '“', rdblquote: '”' },
  ...{ bullet: '•', tab: ' ', cell: ' ', emspace: ' ', enspace: ' ' },
}
const LINES = new Set(['par', 'line', 'row', 'sect', 'page'])
const MOST_DEPTH = 1_000
const MOST_SAID_CHARS = 2_000
const FIELD_LINK = /HYPERLINK\s+(?:\\l\s+)?"([^"]+)"/i
const TOKEN =
  /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([0-9a-f]{2})|([^a-z']))|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\/gi

/** What holds within a group. */
interface Group {
  readonly isSilent: boolean
  readonly property?: keyof DocumentProperties
  /** Characters that stand in for one that old programs do not know. */
  readonly skip: number
  readonly isField: boolean
}

/** A document in Rich Text Format, given as one character a byte. */
export function readRtf(source: string, url: string): ParsedPage {
  const text = new DocumentText(url)
  const said: Partial<Record<keyof DocumentProperties, string>> = {}
  const stack: Group[] = []
  let group: Group = { isSilent: false, skip: 1, isField: false }
  let decoder = decoderOf('1252')
  let bytes: number[] = []
  let toSkip = 0
  let isNew = false
  let instruction = ''
  let anchor = ''
  const show = (shown: string) => {
    if (group.isField && instruction.length < MOST_SAID_CHARS) instruction += shown
    const { property } = group
    if (property) said[property] = ((said[property] ?? '') + shown).slice(0, MOST_SAID_CHARS)
    else if (!group.isSilent) {
      text.add(shown)
      if (instruction !== '' && anchor.length < MOST_SAID_CHARS) anchor += shown
    }
  }
  const flush = () => {
    if (bytes.length > 0) show(decoder.decode(Uint8Array.from(bytes)))
    bytes = []
  }
  TOKEN.lastIndex = 0
  for (let token = TOKEN.exec(source); token && !text.isFull; token = TOKEN.exec(source)) {
    const [, word, number, hex, symbol, brace, plain] = token
    if (hex !== undefined) {
      if (toSkip > 0) toSkip--
      else bytes.push(Number.parseInt(hex, 16))
      continue
    }
    flush()
    if (brace === '{') {
      if (stack.length < MOST_DEPTH) stack.push(group)
      isNew = true
      toSkip = 0
      continue
    }
    if (brace === '}') {
      const before = stack.pop()
      if (before && group.isField && !before.isField) anchor = ''
      if (before && !before.isSilent && !group.isSilent && instruction !== '' && anchor !== '') {
        text.addLink(FIELD_LINK.exec(instruction)?.[1], anchor)
        instruction = ''
        anchor = ''
      }
      group = before ?? group
      toSkip = 0
      continue
    }
    if (word !== undefined) {
      const name = word.toLowerCase()
      if (isNew && SILENT.has(name))
        group = { ...group, isSilent: true, isField: name === 'fldinst' }
      else if (group.isSilent && Object.hasOwn(PROPERTIES, name))
        group = { ...group, property: PROPERTIES[name] }
      else if (name === 'ansicpg') decoder = decoderOf(number ?? '')
      else if (name === 'uc') group = { ...group, skip: Math.min(Math.max(Number(number), 0), 10) }
      else if (name === 'u' && number !== undefined) {
        show(String.fromCharCode(Number(number) & 0xffff))
        toSkip = group.skip
      } else if (name === 'bin') TOKEN.lastIndex += Math.max(Number(number ?? 0), 0)
      else if (LINES.has(name) && !group.isSilent) text.gap('\n')
      else if (Object.hasOwn(SIGNS, name)) show(SIGNS[name])
    } else if (symbol === '*' && isNew) group = { ...group, isSilent: true }
    else if (symbol === '~' || symbol === '\n') show(' ')
    else if (symbol === '\\' || symbol === '{' || symbol === '}') show(symbol)
    else if (plain !== undefined) {
      show(toSkip > 0 ? plain.slice(toSkip) : plain)
      toSkip = Math.max(toSkip - plain.length, 0)
    }
    isNew = symbol === '*' && isNew
  }
  flush()
  return text.page('rtf', said)
}

function decoderOf(codePage: string): InstanceType<typeof TextDecoder> {
  const label = /^125[0-8]$/.test(codePage) ? `windows-${codePage}` : BY_CODE_PAGE[codePage]
  return new TextDecoder(label ?? 'windows-1252')
}

const BY_CODE_PAGE: Readonly<Record<string, string>> = {
  ...{ '932': 'shift_jis', '936': 'gbk', '949': 'euc-kr', '950': 'big5' },
  ...{ '866': 'ibm866', '874': 'windows-874', '10000': 'macintosh', '65001': 'utf-8' },
}
