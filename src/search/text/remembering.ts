/** The same function of a text, which remembers what it gave; when it knows so many texts, it begins anew. */
export function remembering<Value>(
  of: (text: string) => Value,
  most: number,
): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const value = of(text)
    if (known.size >= most) known.clear()
    known.set(text, value)
    return value
  }
}
