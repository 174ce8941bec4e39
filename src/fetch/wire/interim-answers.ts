const STATUS_LINE = Buffer.from('HTTP/1.')
const [LF, CR, ZERO, ONE, TWO] = Buffer.from('\n\r012') as unknown as number[]
/** Where the digits of the status stand in `HTTP/1.1 100`. */
const FIRST_DIGIT = 9
const LAST_DIGIT = 11

/**
 * Follows the head of an HTTP/1 answer before the parser sees it. RFC 9110 §15.2 wants 1xx answers passed
 * over, asked for or not. undici does so, except for 100, which it takes for an error. So a 100 becomes
 * a 102 here, in place.
 */
export class InterimAnswers {
  /** `line`: in a status line; `head`: in the rest of a 1xx head; `over`: nothing to look for. */
  #state: 'line' | 'head' | 'over' = 'over'
  /** The position in the status line. */
  #at = 0
  /** All digits but the last are those of a 100. */
  #isHundred = false
  #isLineEmpty = false

  /** A request starts: a status line is next. */
  begin(): void {
    this.#state = 'line'
    this.#at = 0
  }

  /** Looks at what came; changes at most the last digit of a status. */
  see(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length && this.#state !== 'over'; i++) {
      if (this.#state === 'head') this.#seeHead(bytes[i]!)
      else if (this.#seeLine(bytes[i]!)) bytes[i] = TWO!
    }
  }

  /** True for the last digit of a 100. */
  #seeLine(byte: number): boolean {
    const at = this.#at
    if (at === 0 && (byte === CR || byte === LF)) return false // parsers allow empty lines here
    this.#at++
    if (at < STATUS_LINE.length) {
      if (byte !== STATUS_LINE[at]) this.#state = 'over'
      return false
    }
    if (at === FIRST_DIGIT && byte !== ONE) this.#state = 'over'
    if (at === FIRST_DIGIT + 1) this.#isHundred = byte === ZERO
    if (at < LAST_DIGIT) return false
    this.#state = 'head'
    this.#isLineEmpty = false
    return this.#isHundred && byte === ZERO
  }

  /** An empty line ends the head; another status line follows. */
  #seeHead(byte: number): void {
    if (byte === LF && this.#isLineEmpty) this.begin()
    else if (byte !== CR) this.#isLineEmpty = byte === LF
  }
}
