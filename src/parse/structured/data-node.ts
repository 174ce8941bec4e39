/** A thing that a page describes, as JSON-LD has it: names of properties, and values. */
export interface DataNode {
  [property: string]: unknown
}

export function isNode(value: unknown): value is DataNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const MOST_NODES = 100
/** Lists and graphs within each other are looked into so far. */
const MOST_DEPTH = 5

/** The things at the top of what a page says, those of its graphs included. */
export function topNodes(values: readonly unknown[], depth = 0): DataNode[] {
  const nodes: DataNode[] = []
  for (const value of values) {
    if (nodes.length >= MOST_NODES) break
    if (Array.isArray(value)) {
      if (depth < MOST_DEPTH) nodes.push(...topNodes(value.slice(0, MOST_NODES), depth + 1))
    } else if (isNode(value)) {
      const graph = value['@graph']
      if (Array.isArray(graph) && depth < MOST_DEPTH) nodes.push(...topNodes(graph, depth + 1))
      else nodes.push(value)
    }
  }
  return nodes.slice(0, MOST_NODES)
}

/** The name of a thing's type, without its vocabulary: `Article` for `https://schema.org/Article`. */
export function typeOf(node: DataNode): string | undefined {
  const [type] = [node['@type']].flat()
  return typeof type === 'string' ? type.replace(/^.*[/#]/s, '') || undefined : undefined
}

/** The text of a property: of the first value if there are many, and its name if that is a thing. */
export function textOf(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (depth >= MOST_DEPTH) return undefined
  if (Array.isArray(value)) return value.length > 0 ? textOf(value[0], depth + 1) : undefined
  if (!isNode(value)) return undefined
  return textOf(value.name ?? value['@value'] ?? value.url ?? value['@id'], depth + 1)
}
