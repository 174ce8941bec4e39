/** One instruction of a Dockerfile. */
export interface Instruction {
  /** In capitals. */
  readonly name: string
  /** What follows, as one text and word by word. */
  readonly text: string
  readonly words: readonly string[]
  /** The JSON list at its end, if there is one. */
  readonly list?: readonly string[]
}

/** The instructions of a Dockerfile without heredocs, in their order. */
export function readDockerfile(text: string): Instruction[] {
  const lines = text.replaceAll('\\\n', ' ').split('\n')
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, rest] = /^(\w+)\s+(.*)$/.exec(line)!
      const list = /\[.*\]$/.exec(rest)?.[0]
      return {
        name: name.toUpperCase(),
        text: rest,
        words: rest.split(/\s+/),
        ...(list !== undefined && { list: JSON.parse(list) }),
      }
    })
}
