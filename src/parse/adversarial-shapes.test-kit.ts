/** A document made to cost its reader as much as can be, at any size. */
export interface AdversarialDocument {
  readonly name: string
  readonly contentType: string
  /** The document, of at most so many bytes. */
  readonly body: (bytes: number) => Buffer
}

export type Shape = (bytes: number) => string

/** A beginning, a part again and again, and an end. */
export const filled =
  (start: string, part: string, end = ''): Shape =>
  (bytes) =>
    start + part.repeat(Math.max((bytes - start.length - end.length) / part.length, 0)) + end

/** The same, where each part is told its number. */
export const numbered =
  (start: string, part: (number: number) => string, end = ''): Shape =>
  (bytes) => {
    const parts = [start]
    let room = bytes - start.length - end.length
    for (let number = 0; ; number++) {
      const next = part(number)
      room -= next.length
      if (room < 0) return parts.join('') + end
      parts.push(next)
    }
  }

/** Half of the bytes for the one, half for the other. */
export const halves =
  (first: Shape, second: Shape): Shape =>
  (bytes) =>
    first(bytes / 2) + second(bytes / 2)

/** Documents of one kind by the names of their shapes. */
export const documents = (
  shapes: Readonly<Record<string, Shape>>,
  kind: string,
  contentType: string,
): readonly AdversarialDocument[] =>
  Object.entries(shapes).map(([name, shape]) => ({
    name: `${kind}: ${name}`,
    contentType,
    // Letters beyond ASCII have several bytes, so the end may be cut off.
    body: (bytes) => Buffer.from(shape(bytes)).subarray(0, bytes),
  }))
