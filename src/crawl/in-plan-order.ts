/**
 * Hands items on in the order of `ids`, each as soon as all before it have come; what follows a gap
 * waits, and is handed on in order when the source ends. So a crawl learns the same things in the
 * same order however the network delivers them.
 */
export async function* inPlanOrder<Item extends { readonly id: number }>(
  ids: readonly number[],
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  const waiting = new Map<number, Item>()
  let next = 0
  for await (const item of items) {
    waiting.set(item.id, item)
    for (;;) {
      const ready = next < ids.length ? waiting.get(ids[next]) : undefined
      if (!ready) break
      waiting.delete(ids[next++])
      yield ready
    }
  }
  for (const id of ids.slice(next)) {
    const late = waiting.get(id)
    if (late) yield late
  }
}
