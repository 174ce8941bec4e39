/**
 * An English word without its plural and verb endings: cats → cat, ponies → pony, running → run,
 * hoped → hope. Far milder than Porter's rules, which also cut derivations (general, generation,
 * generous) to one stump: plurals and tenses are what queries and pages differ in.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  return withoutVerbEnding(withoutPlural(word))
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ch|sh|ss|x|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

function withoutVerbEnding(word: string): string {
  const ending = word.endsWith('ing') ? 'ing' : word.endsWith('ed') ? 'ed' : ''
  if (ending === '') return word
  const rest = word.slice(0, -ending.length)
  if (rest.length < 3 || !/[aeiouy]/.test(rest)) return word
  const last = rest[rest.length - 1]
  const isDoubled = last === rest[rest.length - 2]
  if (isDoubled) return /[lsz]/.test(last) ? rest : rest.slice(0, -1)
  if (ending === 'ed' && last === 'i') return `${rest.slice(0, -1)}y`
  // hoping, hoped → hope, but walking, walked → walk; a short word with one vowel lost an e.
  return /[^aeiou][aeiouy][^aeiouywx]$/.test(rest) && rest.length <= 3 ? `${rest}e` : rest
}
