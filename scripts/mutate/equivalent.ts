/** Mutations that change nothing that anybody could notice, by the end of the line that `npm run mutate` prints, and why. */
export const EQUIVALENT: readonly {
  readonly where: string
  readonly what: string
  readonly why: string
}[] = []
