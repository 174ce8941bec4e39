import { type InnerList, parseInnerLists } from './inner-lists.ts'
import { ALGORITHM, TAG } from './profile.ts'

/** A signature that a server asks for (RFC 9421 §5.1). */
export interface AskedSignature {
  /** What the signature is to be called. */
  readonly label: string
  /** Names of components to be covered, `signature-agent` left out. */
  readonly components: readonly string[]
  readonly nonce?: string
  /** The only key that will do. */
  readonly keyId?: string
}

/** Servers choose these texts and we send them back: none needs to be longer, or to name more. */
const MOST_CHARS = 256
const MOST_COMPONENTS = 16

/** The first signature in an `Accept-Signature` that is of our profile; undefined if there is none. */
export function parseAcceptSignature(header: string): AskedSignature | undefined {
  for (const [label, list] of parseInnerLists(header)) {
    const asked = label.length <= MOST_CHARS ? askedSignature(label, list) : undefined
    if (asked) return asked
  }
  return undefined
}

function askedSignature(label: string, { items, params }: InnerList): AskedSignature | undefined {
  const { tag = TAG, alg = ALGORITHM, nonce, keyid } = Object.fromEntries(params)
  if (tag !== TAG || alg !== ALGORITHM) return undefined
  if (!isShortText(nonce) || !isShortText(keyid)) return undefined
  const agent = items.find(({ name }) => name === 'signature-agent')
  const others = items.filter((item) => item !== agent)
  // The profile has its member called as the signature is.
  if ((agent?.params.get('key') ?? label) !== label) return undefined
  if (others.length > MOST_COMPONENTS || others.some((item) => item.params.size > 0))
    return undefined
  return {
    label,
    components: [...new Set(others.map(({ name }) => name))],
    ...(nonce !== undefined && { nonce }),
    ...(keyid !== undefined && { keyId: keyid }),
  }
}

function isShortText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === 'string' && value.length <= MOST_CHARS)
}
