import { type Csr, rowOf } from '#numeric/csr.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { WordPairMap } from '#numeric/word-pair-map.ts'
import type { Analyser } from '#search/text/analysis.ts'

/** The paper's setting: single words, pairs and triples. */
const LONGEST = 3

/** One query as numbers of n-grams. */
export interface QueryGrams {
  /** Its content words, each once; its function words only if it has nothing else. */
  readonly words: Uint32Array
  /** All its word n-grams, each once, function words among them. */
  readonly ngrams: Uint32Array
}

/**
 * The word n-grams of the queries people ask, as numbers. No others are ever looked for, so texts are
 * read as those n-grams alone. Numbers stay when queries change; new n-grams get the next ones.
 *
 * @paper PandeyOlston2008 §5.3 — n-grams of terms as search makes them, so with endings taken off.
 */
export class QueryNgrams {
  readonly longest: number
  readonly #analyser: Analyser
  readonly #wordOf = new Map<string, number>() // the n-gram that is one term
  readonly #longer = new WordPairMap() // (n-gram, word that follows) -> the longer n-gram
  readonly #isWord = new GrowingColumn(Uint8Array)
  #words = csrOf([])
  #ngrams = csrOf([])
  // Which text last held an n-gram: each is given once a text.
  #lastText = new Uint32Array(0)
  #texts = 0

  constructor(analyser: Analyser, longest = LONGEST) {
    this.#analyser = analyser
    this.longest = longest
  }

  /** How many n-grams have a number. */
  get size(): number {
    return this.#isWord.length
  }

  get queryCount(): number {
    return this.#words.offsets.length - 1
  }

  /** Takes the place of the queries before; true if that brought n-grams never looked for so far. */
  setQueries(texts: readonly string[]): boolean {
    const sizeBefore = this.size
    const rows = texts.map((text) => {
      const terms = this.#analyser.terms(text)
      const words = this.#analyser.queryTerms(text)
      this.#number(terms)
      for (const word of words) this.#number([word])
      return { terms, words }
    })
    this.#lastText = new Uint32Array(this.size)
    this.#words = csrOf(rows.map(({ words }) => this.gramsOf(words, 1)))
    this.#ngrams = csrOf(rows.map(({ terms }) => this.gramsOf(terms)))
    return this.size > sizeBefore
  }

  /** Whether an n-gram is a single word. */
  isWord(gram: number): boolean {
    return this.#isWord.at(gram) === 1
  }

  query(query: number): QueryGrams {
    return { words: rowOf(this.#words, query), ngrams: rowOf(this.#ngrams, query) }
  }

  /** The numbers of those n-grams of a text that some query has, each once. */
  gramsOf(terms: readonly string[], longest = this.longest): number[] {
    const found: number[] = []
    const text = ++this.#texts
    const lastText = this.#lastText
    const words = terms.map((term) => this.#wordOf.get(term))
    for (let start = 0; start < words.length; start++) {
      let gram = words[start]
      for (let next = start + 1; gram !== undefined; next++) {
        if (lastText[gram] !== text) {
          lastText[gram] = text
          found.push(gram)
        }
        const word: number | undefined = next < start + longest ? words[next] : undefined
        gram = word === undefined ? undefined : this.#longer.get(gram, word)
      }
    }
    return found
  }

  /** Gives a number to every n-gram of a query that has none yet. */
  #number(terms: readonly string[]): void {
    const words = terms.map((term) => {
      const word = this.#wordOf.get(term) ?? this.#isWord.push(1)
      this.#wordOf.set(term, word)
      return word
    })
    words.forEach((first, start) => {
      let gram = first
      for (const word of words.slice(start + 1, start + this.longest)) {
        const longer = this.#longer.get(gram, word) ?? this.#isWord.push(0)
        this.#longer.set(gram, word, longer)
        gram = longer
      }
    })
  }
}

function csrOf(rows: readonly (readonly number[])[]): Csr {
  const offsets = new Uint32Array(rows.length + 1)
  rows.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.length
  })
  return { offsets, targets: Uint32Array.from(rows.flat()) }
}

/**
 * The n-grams of texts that have numbers; each text is read once. A text's run is the count of its
 * n-grams, and then the n-grams.
 */
export class NgramRuns {
  readonly #runs = new GrowingColumn(Uint32Array)
  readonly #placeOf = new GrowingColumn(Uint32Array) // of a text's run, + 1; 0 if it was not read

  has(text: number): boolean {
    return this.#placeOf.get(text) > 0
  }

  /** Takes in a text by its n-grams, each once. */
  add(text: number, grams: readonly number[]): void {
    if (this.has(text)) throw new Error(`text ${text} is read twice`)
    this.#placeOf.put(text, this.#runs.push(grams.length) + 1)
    for (const gram of grams) this.#runs.push(gram)
  }

  /** Where a text's run starts. */
  placeOf(text: number): number {
    return this.#placeOf.at(text) - 1
  }

  gramsOf(text: number): Uint32Array {
    const start = this.placeOf(text) + 1
    return this.#runs.view().subarray(start, start + this.#runs.at(start - 1))
  }

  /** The runs as they lie, for loops over many: that of text t starts at places[t] - 1. */
  layout(): { readonly places: Uint32Array; readonly runs: Uint32Array } {
    return { places: this.#placeOf.view(), runs: this.#runs.view() }
  }
}
