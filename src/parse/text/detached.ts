/**
 * The same string in memory of its own. In V8 a slice of more than 12 characters keeps the whole
 * string it was cut from alive: a URL kept for months would keep its page. Joining and cutting
 * again copies the characters; it costs some 50 ns, so the parser does it for all it returns.
 */
export function detached(text: string): string {
  return text.length < 13 ? text : ` ${text}`.slice(1)
}
