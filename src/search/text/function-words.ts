/** English words that hold sentences together and say nothing of their subject. */
const WORDS = `
  a about above after again against all also am an and any are as at be because been before being below
  between both but by can could did do does doing down during each few for from further had has have having
  he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on
  once only or other our out over own s same she should so some such t than that the their theirs them then
  there these they this those through to too under until up us very was we were what when where which while
  who whom whose why will with would you your yours`

const FUNCTION_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word)
}
