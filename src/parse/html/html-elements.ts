import {
  type ContentKind,
  ESCAPABLE_TEXT,
  MARKUP,
  PLAIN_TEXT,
  RAW_TEXT,
  SCRIPT,
} from './html-content.ts'

/** What the reader has to know of an element; bits of `Element.traits`. */
export const VOID = 1 // has no content and no end tag
export const BLOCK = 2 // starts and ends a line
export const CELL = 4 // parts words
export const SILENT = 8 // its text is neither shown nor part of a link
export const UNSEEN = 16 // its text is not shown, but links in it are links
export const INERT = 32 // its links are no links
export const HEAD = 64 // may stand in the head; any other element begins the body
export const TELLING = 128 // its attributes say something
export const ENDS_PARAGRAPH = 256 // a paragraph's end tag may be left out before it

const CONTAINER = 512 // may hold a part of a page: its class and id may say which
export const ASIDE = 1024 // holds what the page is not about
export const MAIN = 2048 // holds what it is about
export const PLACE = 4096 // what stands in it belongs together
/** Whose part of a page is worth a look. */
export const PART: number = CONTAINER | ASIDE | MAIN

export interface Element {
  /** Dense, from 0; names the standard does not know follow those it does. */
  readonly id: number
  readonly name: string
  readonly traits: number
  /** How to read the content after its start tag. */
  readonly content: ContentKind
  /** The groups, as bits, that it belongs to, and those whose end tag may be left out before it. */
  readonly groups: number
  readonly ends: number
}

const words = (list: string) => list.split(' ')

const BLOCKS = words(
  'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main ' +
    'menu nav ol optgroup option p plaintext pre search section summary table tbody tfoot thead tr ' +
    'ul xmp br',
)
const TRAITS: readonly (readonly [trait: number, names: readonly string[]])[] = [
  [
    VOID,
    words('area base basefont br col embed frame hr img input link meta param source track wbr'),
  ],
  [BLOCK, BLOCKS],
  [CELL, words('td th img input select button textarea')],
  // Raw text (a browser with scripts and frames shows none of it), and titles, which are read apart.
  [SILENT, words('script style template title iframe noembed noframes')],
  // Lazy-loading pages keep real links in noscript, beside "please switch on JavaScript".
  [UNSEEN, ['noscript']],
  [INERT, ['template']],
  [HEAD, words('html head title base basefont link meta style script noscript template')],
  [TELLING, words('a area img title base link meta html script')],
  // Not single items, rows and headings: there are many of them, and menus are around them.
  [CONTAINER, words('div section ul ol dl table header form article p details fieldset address')],
  [ASIDE, words('nav footer aside menu search dialog')],
  [MAIN, ['main']],
  [
    PLACE,
    words(
      'div section article main header nav footer aside ul ol dl table td form details fieldset',
    ),
  ],
  [
    ENDS_PARAGRAPH,
    words(
      'address article aside blockquote center details dir div dl fieldset figcaption figure footer ' +
        'form h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section table ul',
    ),
  ],
]
const CONTENTS: ReadonlyMap<string, ContentKind> = new Map<string, ContentKind>([
  ['script', SCRIPT],
  ['plaintext', PLAIN_TEXT],
  ...words('title textarea').map((name) => [name, ESCAPABLE_TEXT] as const),
  ...words('style xmp iframe noembed noframes').map((name) => [name, RAW_TEXT] as const),
])
const GROUPS = ['li', 'dt dd', 'td th', 'tr', 'thead tbody', 'option', 'optgroup'].map(words)
const ENDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['li', ['li']],
  ['dt', ['dt']],
  ['dd', ['dd']],
  ['td', ['td']],
  ['th', ['td']],
  ['tr', ['td', 'tr']],
  ['tbody', ['td', 'tr', 'tbody']],
  ['tfoot', ['td', 'tr', 'tbody']],
  ['option', ['option']],
  ['optgroup', ['option', 'optgroup']],
])
// Without any of these traits, but met so often that finding them should be quick.
const OTHERS = words(
  'a svg math foreignobject abbr audio b big cite code em font g i label object path picture q s ' +
    'small span strong sub sup time u use var video',
)

/** Elements by lower-case name. */
export const KNOWN_ELEMENTS: ReadonlyMap<string, Element> = new Map(
  [...new Set([...TRAITS.flatMap(([, names]) => names), ...OTHERS])].map(
    (name, id): [string, Element] => [name, describe(name, id)],
  ),
)

function describe(name: string, id: number): Element {
  let traits = 0
  for (const [trait, names] of TRAITS) if (names.includes(name)) traits |= trait
  const ends = (ENDS.get(name) ?? []).reduce((bits, ended) => bits | groupsOf(ended), 0)
  return { id, name, traits, content: CONTENTS.get(name) ?? MARKUP, groups: groupsOf(name), ends }
}

function groupsOf(name: string): number {
  return GROUPS.reduce((bits, names, group) => bits | (names.includes(name) ? 1 << group : 0), 0)
}
