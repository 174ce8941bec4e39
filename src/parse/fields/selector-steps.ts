import {
  AttributeAction,
  type AttributeSelector,
  isTraversal,
  parse,
  type Selector,
  SelectorType,
} from 'css-what'

/** What a selector asks of one element. */
interface ElementFacts {
  readonly name: string
  /** Its place among its parent's elements, from 1. */
  readonly place: number
  /** By lower-case name. */
  readonly attributes: () => ReadonlyMap<string, string>
}

type Test = (element: ElementFacts) => boolean

/** How an element must stand to the one that the step before found. */
type Combinator = 'first' | 'within' | 'child' | 'next' | 'later'

/** One compound of a selector, as `li.x` of `ul > li.x`. */
export interface Step {
  readonly combinator: Combinator
  readonly matches: Test
}

const COMBINATORS: ReadonlyMap<SelectorType, Combinator> = new Map([
  [SelectorType.Descendant, 'within'],
  [SelectorType.Child, 'child'],
  [SelectorType.Adjacent, 'next'],
  [SelectorType.Sibling, 'later'],
])
const MOST_CHARS = 500
const MOST_STEPS = 12

/** A selector that cannot be used, and why. */
export class SelectorFault extends Error {}

/** The steps of each of the selectors in a list with commas. Throws a `SelectorFault`. */
export function selectorSteps(selector: string): Step[][] {
  if (selector.length > MOST_CHARS)
    throw new SelectorFault(`is longer than ${MOST_CHARS} characters`)
  const lists = parsed(selector)
  if (lists.length === 0) throw new SelectorFault('is empty')
  return lists.map(stepsOf)
}

function parsed(selector: string): Selector[][] {
  try {
    return parse(selector)
  } catch (error) {
    throw new SelectorFault(`is no CSS selector: ${(error as Error).message.slice(0, 100)}`)
  }
}

function stepsOf(tokens: readonly Selector[]): Step[] {
  const steps: Step[] = []
  let combinator: Combinator = 'first'
  let tests: Test[] = []
  const end = () => {
    const all = tests
    steps.push({ combinator, matches: (element) => all.every((test) => test(element)) })
    tests = []
  }
  for (const token of tokens) {
    if (!isTraversal(token)) {
      tests.push(testOf(token))
      continue
    }
    const next = COMBINATORS.get(token.type)
    if (next === undefined || tests.length === 0)
      throw new SelectorFault(`has a "${token.type}" that is not known here`)
    end()
    combinator = next
  }
  if (tests.length === 0) throw new SelectorFault('ends without an element')
  end()
  if (steps.length > MOST_STEPS) throw new SelectorFault(`has more than ${MOST_STEPS} steps`)
  return steps
}

function testOf(token: Selector): Test {
  switch (token.type) {
    case SelectorType.Universal:
      return () => true
    case SelectorType.Tag: {
      const name = token.name.toLowerCase()
      return (element) => element.name === name
    }
    case SelectorType.Attribute:
      return attributeTest(token)
    case SelectorType.Pseudo:
      return pseudoTest(token.name, token.data)
    default:
      throw new SelectorFault(`has a "${token.type}", which no page in memory has`)
  }
}

function attributeTest({ name, action, value, ignoreCase }: AttributeSelector): Test {
  const key = name.toLowerCase()
  const folds = ignoreCase === true
  const wanted = folds ? value.toLowerCase() : value
  const compare = comparison(action, wanted)
  return ({ attributes }) => {
    const found = attributes().get(key)
    return compare(found !== undefined && folds ? found.toLowerCase() : found)
  }
}

const SPACE = /[ \t\n\f\r]/

/** Whether a word is among those of a text, which may have very many: no list is made of them. */
function hasWord(text: string, word: string): boolean {
  const isEdge = (at: number) => at < 0 || at >= text.length || SPACE.test(text[at])
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (isEdge(at - 1) && isEdge(at + word.length)) return true
  return false
}

function comparison(action: AttributeAction, wanted: string) {
  const isWord = wanted !== '' && !SPACE.test(wanted)
  const tests: Readonly<Record<AttributeAction, (found: string) => boolean>> = {
    [AttributeAction.Exists]: () => true,
    [AttributeAction.Equals]: (found) => found === wanted,
    [AttributeAction.Element]: (found) => isWord && hasWord(found, wanted),
    [AttributeAction.Start]: (found) => wanted !== '' && found.startsWith(wanted),
    [AttributeAction.End]: (found) => wanted !== '' && found.endsWith(wanted),
    [AttributeAction.Any]: (found) => wanted !== '' && found.includes(wanted),
    [AttributeAction.Hyphen]: (found) => found === wanted || found.startsWith(`${wanted}-`),
    [AttributeAction.Not]: (found) => found !== wanted,
  }
  const test = tests[action]
  return (found: string | undefined) =>
    found === undefined ? action === AttributeAction.Not : test(found)
}

/** `2n+1`, `odd`, `3` and the like. */
const NTH = /^(?:([+-]?\d{0,6})n)?\s*([+-]?\s*\d{1,6})?$/

function pseudoTest(name: string, data: unknown): Test {
  if (name === 'first-child') return ({ place }) => place === 1
  if (name === 'nth-child' && typeof data === 'string') return nthTest(data)
  if (Array.isArray(data) && (name === 'not' || name === 'is' || name === 'where')) {
    const lists = (data as Selector[][]).map(stepsOf)
    if (lists.some(({ length }) => length > 1))
      throw new SelectorFault(`has a :${name}() of more than one element, which is not known here`)
    const some: Test = (element) => lists.some(([step]) => step.matches(element))
    return name === 'not' ? (element) => !some(element) : some
  }
  throw new SelectorFault(
    `has :${name}, which is not known here; known are :first-child, :nth-child(), :not(), :is() and :where()`,
  )
}

function nthTest(data: string): Test {
  const text = data.trim().toLowerCase()
  const formula = text === 'odd' ? '2n+1' : text === 'even' ? '2n' : text
  const parts = NTH.exec(formula)
  if (!parts || formula === '') throw new SelectorFault(`has :nth-child(${text}), which is none`)
  const [, every, first = '0'] = parts
  const step = every === undefined ? 0 : /\d/.test(every) ? Number(every) : every === '-' ? -1 : 1
  const offset = Number(first.replace(/\s/g, ''))
  return ({ place }) => {
    const rest = place - offset
    return step === 0 ? rest === 0 : rest % step === 0 && rest / step >= 0
  }
}
