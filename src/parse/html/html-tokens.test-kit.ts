import { type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import { ESCAPABLE_TEXT, MARKUP, PLAIN_TEXT, RAW_TEXT, SCRIPT } from './html-content.ts'
import { KNOWN_ELEMENTS } from './html-elements.ts'
import { scanHtml } from './html-scanner.ts'
import { ATTRIBUTE_NAMES, TagAttributes } from './tag-attributes.ts'

/** Texts as they are, `<name href="x" …>` and `</name>` for tags; comments leave nothing. */
type HtmlTokens = readonly string[]

const kindOf = (name: string) => KNOWN_ELEMENTS.get(name)?.content ?? MARKUP
const lower = (name: string) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Collects tokens; between `<svg>` and `</svg>` is foreign content, whatever else there is. */
class TokenList {
  readonly tokens: string[] = []
  #text = ''
  isForeign = false
  innermost = ''

  text(text: string): void {
    this.#text += text
  }

  open(name: string, get: (name: string) => string | undefined, selfClosing: boolean): void {
    const attributes = ATTRIBUTE_NAMES.map((one) => [one, get(one)]).filter(
      ([, value]) => value !== undefined,
    )
    const said = attributes.map(([one, value]) => ` ${one}=${JSON.stringify(value)}`).join('')
    this.#push(`<${name}${said}${selfClosing ? '/' : ''}>`)
    if (name === 'svg') this.isForeign = !selfClosing
    this.innermost = name
  }

  close(name: string): void {
    this.#push(`</${name}>`)
    if (name === 'svg') this.isForeign = false
    this.innermost = ''
  }

  end(): HtmlTokens {
    this.#push('')
    return this.tokens
  }

  #push(token: string): void {
    if (this.#text !== '') this.tokens.push(this.#text)
    if (token !== '') this.tokens.push(token)
    this.#text = ''
  }
}

/** What our scanner finds. */
export function scannedTokens(html: string): HtmlTokens {
  const list = new TokenList()
  const attributes = new TagAttributes()
  scanHtml(html, {
    attributes,
    text: (source, start, end) => list.text(source.slice(start, end)),
    open: (start, end) => {
      const name = lower(html.slice(start, end))
      const kind = list.isForeign ? MARKUP : kindOf(name)
      list.open(
        name,
        (one) => attributes.get(ATTRIBUTE_NAMES.indexOf(one)),
        attributes.isSelfClosing,
      )
      return kind
    },
    close: (start, end) => list.close(lower(html.slice(start, end))),
    get innermost() {
      return list.innermost
    },
    closeInnermost: () => list.close(list.innermost),
    isInForeignContent: () => list.isForeign,
  })
  return list.end()
}

const MODES = {
  [MARKUP]: TokenizerMode.DATA,
  [RAW_TEXT]: TokenizerMode.RAWTEXT,
  [ESCAPABLE_TEXT]: TokenizerMode.RCDATA,
  [SCRIPT]: TokenizerMode.SCRIPT_DATA,
  [PLAIN_TEXT]: TokenizerMode.PLAINTEXT,
}

/** What parse5, which follows the standard to the letter, finds. */
export function standardTokens(html: string): HtmlTokens {
  const list = new TokenList()
  const addText = ({ chars }: Token.CharacterToken) => list.text(chars)
  const handler: TokenHandler = {
    onComment: () => {},
    onDoctype: () => {},
    onEof: () => {},
    onCharacter: addText,
    onNullCharacter: addText,
    onWhitespaceCharacter: addText,
    onStartTag: ({ tagName, attrs, selfClosing }) => {
      const kind = list.isForeign ? MARKUP : kindOf(tagName)
      const attribute = (name: string) => attrs.find((one) => one.name === name)?.value
      list.open(tagName, attribute, selfClosing)
      tokenizer.inForeignNode = list.isForeign
      if (kind !== MARKUP) tokenizer.state = MODES[kind]
    },
    onEndTag: ({ tagName }) => {
      list.close(tagName)
      tokenizer.inForeignNode = list.isForeign
    },
  }
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler)
  tokenizer.write(html, true)
  return list.end()
}
