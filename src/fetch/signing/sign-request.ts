import { sign } from 'node:crypto'
import type { AskedSignature } from './accept-signature.ts'
import { CLOCK_SKEW_SECONDS, TAG, VALID_SECONDS } from './profile.ts'
import { requestComponent, type SignableRequest } from './request-component.ts'
import {
  type CoveredComponent,
  quoted,
  type SignatureParams,
  signatureBase,
  signatureInput,
} from './signature-base.ts'
import type { SigningKey } from './signing-key.ts'

/** The signature that everybody gets who asked for no other. */
export const USUAL: AskedSignature = { label: 'sig1', components: ['@authority'] }

/**
 * The three headers that say who sends a request (draft-ietf-webbotauth-httpsig-protocol-01 §5.2); undefined if a server
 * asks for what the request does not have.
 */
export function signRequest(
  request: SignableRequest,
  keysUrl: string,
  key: SigningKey,
  now: number,
  asked = USUAL,
): Readonly<Record<string, string>> | undefined {
  const { label, nonce, keyId = key.keyId } = asked
  const covered = atLeastHost(asked.components).map((name) => ({
    id: quoted(name),
    value: requestComponent(name, request),
  }))
  if (keyId !== key.keyId || !covered.every(hasValue)) return undefined
  const member = { id: `"signature-agent";key=${quoted(label)}`, value: quoted(keysUrl) }
  const { input, signature } = signed([...covered, member], key, {
    created: Math.floor(now) - CLOCK_SKEW_SECONDS,
    expires: Math.floor(now) + VALID_SECONDS,
    keyid: key.keyId,
    ...(nonce !== undefined && { nonce }),
    tag: TAG,
  })
  return {
    'signature-agent': `${label}=${member.value}`,
    'signature-input': `${label}=${input}`,
    signature: `${label}=:${signature}:`,
  }
}

/** What is asked for, and the host if that says nothing of it: a signature must hold for one host alone. */
function atLeastHost(components: readonly string[]): readonly string[] {
  const namesHost = components.some((name) => name === '@authority' || name === '@target-uri')
  return namesHost ? components : [...USUAL.components, ...components]
}

function hasValue(component: { id: string; value?: string }): component is CoveredComponent {
  return component.value !== undefined
}

/** Ed25519 over the signature base (RFC 9421 §3.1 and §3.3.6), in base 64. */
export function signed(
  components: readonly CoveredComponent[],
  { privateKey }: Pick<SigningKey, 'privateKey'>,
  params: SignatureParams,
): { input: string; signature: string } {
  const input = signatureInput(components, params)
  const base = Buffer.from(signatureBase(components, input))
  return { input, signature: sign(null, base, privateKey).toString('base64') }
}
