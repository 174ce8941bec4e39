/** A part of a message that a signature covers: its identifier as written in `Signature-Input`, and its value. */
export interface CoveredComponent {
  /** As in `"@authority"` or `"signature-agent";key="sig1"`. */
  readonly id: string
  readonly value: string
}

/** Parameters of a signature in the order in which they are written. */
export type SignatureParams = Readonly<Record<string, string | number>>

/** What `Signature-Input` says of one signature: the components it covers, and its parameters (RFC 9421 §2.3). */
export function signatureInput(
  components: readonly CoveredComponent[],
  params: SignatureParams,
): string {
  const written = Object.entries(params).map(
    ([name, value]) => `;${name}=${typeof value === 'number' ? value : quoted(value)}`,
  )
  return `(${components.map(({ id }) => id).join(' ')})${written.join('')}`
}

/** The text that is signed (RFC 9421 §2.5). */
export function signatureBase(components: readonly CoveredComponent[], input: string): string {
  const lines = components.map(({ id, value }) => `${id}: ${value}`)
  return [...lines, `"@signature-params": ${input}`].join('\n')
}

/** A string of a structured field (RFC 9651 §4.1.6); its characters are printable ASCII. */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
