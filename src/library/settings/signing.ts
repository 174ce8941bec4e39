import { SettingError } from '#errors/setting-error.ts'
import { KeyRing, type KeySource } from '#fetch/signing/key-ring.ts'
import { directoryUrl } from '#fetch/signing/profile.ts'
import type { SigningOptions } from '#fetch/signing/request-signer.ts'

/** Holds the private key itself, for those who keep it in no file. */
export const KEY_VARIABLE = 'FORAGER_IDENTITY_KEY'
export const SIGN_WHEN = ['always', 'when-asked', 'never'] as const

interface SigningSettings {
  readonly identityKey?: string
  readonly identityAgent?: string
  readonly identitySign?: (typeof SIGN_WHEN)[number]
}

/** Whether a site can publish keys: an origin with TLS, and nothing behind it. */
export function isAgent(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && url.href === `${url.origin}/`
}

/** How the settings want requests signed, if they do; the key is read here to see that it can be. */
export function signingOf(settings: SigningSettings): SigningOptions | undefined {
  const { identityAgent, identitySign } = settings
  const key = keySource(settings)
  if (identitySign === 'never' || (!key && identitySign === undefined)) return undefined
  if (!key)
    throw new SettingError(
      'identitySign',
      `{identitySign} ${identitySign} needs a key: name its file with {identityKey}, or put it into ${KEY_VARIABLE}`,
    )
  if (identityAgent === undefined)
    throw new SettingError(
      'identityAgent',
      'to sign requests, say where the public key is published: add {identityAgent} https://bot.example',
    )
  new KeyRing(key)
  const keysUrl = directoryUrl(new URL(identityAgent).origin)
  return { key, keysUrl, when: identitySign ?? 'always' }
}

function keySource({ identityKey }: SigningSettings): KeySource | undefined {
  if (identityKey !== undefined) return { kind: 'file', file: identityKey }
  return process.env[KEY_VARIABLE] ? { kind: 'variable', variable: KEY_VARIABLE } : undefined
}
