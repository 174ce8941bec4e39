/** What cannot be a query of the workload, and why. */
type Rejection =
  | 'no query text'
  | 'query too long'
  | 'holds an e-mail address'
  | 'holds a long number'

type NormalQuery =
  | { readonly text: string }
  | { readonly text?: undefined; readonly rejection: Rejection }

/** Longer ones are pasted texts or attacks. */
const MAX_CHARS = 300

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be found
const SPACE = /[\s\u0000-\u001f\u007f-\u009f\u200b\ufeff]+/gu
const E_MAIL = /[^\s@]@[^\s@]+\.\p{L}{2,}/u
// Seven digits in a row, or nine with single separators: telephone, card and account numbers. A date
// or a span of years has eight at most.
const LONG_NUMBER = /\p{Nd}{7,}|(?:\p{Nd}[ ./()-]{0,2}){8}\p{Nd}/u

/**
 * A query in the one form that counts: NFKC, lower case, single spaces. Queries that may tell who asked
 * (e-mail addresses, long numbers) are rejected whole: what is left of them would be no query people ask.
 */
export function normalQuery(raw: string): NormalQuery {
  if (raw.length > 10 * MAX_CHARS) return { rejection: 'query too long' }
  const text = raw
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .replace(SPACE, ' ')
    .trim()
  if (!/[\p{L}\p{N}]/u.test(text)) return { rejection: 'no query text' }
  if (text.length > MAX_CHARS) return { rejection: 'query too long' }
  if (E_MAIL.test(text)) return { rejection: 'holds an e-mail address' }
  if (LONG_NUMBER.test(text)) return { rejection: 'holds a long number' }
  return { text }
}
