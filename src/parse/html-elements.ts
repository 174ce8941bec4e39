/** What the reader has to know of an element; bits of `Element.traits`. */
export const VOID = 1 // has no content and no end tag
export const BLOCK = 2 // starts and ends a line
export const CELL = 4 // parts words
export const SILENT = 8 // its text is neither shown nor part of a link
export const UNSEEN = 16 // its text is not shown, but links in it are links
export const INERT = 32 // its links are no links
export const HEAD = 64 // may stand in the head; any other element begins the body

export interface Element {
  /** Dense, from 0; names the standard does not know follow those it does. */
  readonly id: number
  readonly name: string
  readonly traits: number
  /** Elements whose end tag may be left out before this one. */
  readonly ends: readonly string[]
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
]
const ENDS_A_PARAGRAPH = words(
  'address article aside blockquote center details dir div dl fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section table ul',
)
const ENDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['li', ['li']],
  ['dt', ['dt', 'dd']],
  ['dd', ['dt', 'dd']],
  ['td', ['td', 'th']],
  ['th', ['td', 'th']],
  ['tr', ['td', 'th', 'tr']],
  ['tbody', ['td', 'th', 'tr', 'thead', 'tbody']],
  ['tfoot', ['td', 'th', 'tr', 'thead', 'tbody']],
  ['option', ['option']],
  ['optgroup', ['option', 'optgroup']],
  ...ENDS_A_PARAGRAPH.map((name): [string, string[]] => [name, ['p']]),
])

/** Elements by lower-case name. */
export const KNOWN_ELEMENTS: ReadonlyMap<string, Element> = new Map(
  [...new Set([...TRAITS.flatMap(([, names]) => names), 'a', 'svg', 'math', 'foreignobject'])].map(
    (name, id): [string, Element] => [name, describe(name, id)],
  ),
)

function describe(name: string, id: number): Element {
  let traits = 0
  for (const [trait, names] of TRAITS) if (names.includes(name)) traits |= trait
  return { id, name, traits, ends: ENDS.get(name) ?? [] }
}
