import type { Stretch } from './paper-functions.ts'

/** A small mistake that could have been made. */
export interface Mutation extends Stretch {
  readonly becomes: string
}

type Rule = readonly [pattern: RegExp, becomes: (found: string) => string]

const swapped = (pairs: Readonly<Record<string, string>>): Rule => [
  // Operators stand between spaces, which tells them from brackets of types and from signs.
  new RegExp(
    `(?<= )(?:${Object.keys(pairs)
      .map((one) => one.replace(/[*+?|/]/g, '\\$&'))
      .sort((a, b) => b.length - a.length)
      .join('|')})(?= |$)`,
    'gm',
  ),
  (found) => pairs[found],
]

const RULES: readonly Rule[] = [
  swapped({ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' }),
  swapped({ '+': '-', '-': '+', '*': '/', '/': '*', '**': '*', '%': '*', '+=': '-=', '-=': '+=' }),
  swapped({ '&&': '||', '||': '&&', '??': '&&', '*=': '/=', '/=': '*=' }),
  // A term or factor is dropped.
  [/ (?:\*\*|[-+*/]) [\w.#!]+(?:\[[^[\]]*\])*(?:\([^()]*\))?/g, () => ''],
  // A constant is off by one; numbers beside a | are types.
  [
    /(?<![\w.#$]|\| )\d[\d_]*(?:\.\d+)?(?:e-?\d+)?(?![\w.]| \|)/g,
    (found) => String(changedNumber(found)),
  ],
  [/\bMath\.(?:min|max|floor|ceil|round)\b/g, (found) => OTHER_FUNCTION[found]],
  [/\b(?:true|false)\b/g, (found) => String(found === 'false')],
  [/(?<=[( ])!(?=[\w(#])/g, () => ''],
]

const OTHER_FUNCTION: Readonly<Record<string, string>> = {
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
  'Math.floor': 'Math.ceil',
  'Math.ceil': 'Math.floor',
  'Math.round': 'Math.floor',
}

function changedNumber(text: string): number {
  const number = Number(text.replaceAll('_', ''))
  return Number.isInteger(number) ? number + 1 : number * 2
}

/** One past the end of an array nothing is found, and what is written there is lost: loops may as well run so far. */
const LOOP_OVER_ARRAY = /; \w+ < (?:[\w.#]*\.length|rowCount\(\w+\));/g

/** Every small mistake in a stretch of a source, in the order of places. */
export function mutationsOf(source: string, { from, to }: Stretch): Mutation[] {
  const code = withoutWords(source)
    .slice(from, to)
    .replace(LOOP_OVER_ARRAY, (found) => found.replace(' < ', ' _ '))
  return RULES.flatMap(([pattern, becomes]) =>
    Array.from(code.matchAll(pattern), ({ index, 0: found }) => ({
      from: from + index,
      to: from + index + found.length,
      becomes: becomes(found),
    })),
  ).sort((a, b) => a.from - b.from || a.to - b.to)
}

/** The same with comments and texts blanked out, so that places stay. */
function withoutWords(source: string): string {
  const words = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g
  return source.replace(words, (found) => found.replace(/[^\n]/g, '_'))
}

export function applied(source: string, { from, to, becomes }: Mutation): string {
  return source.slice(0, from) + becomes + source.slice(to)
}
