import { readFileSync, statSync } from 'node:fs'
import { SettingError } from '#errors/setting-error.ts'
import { keyInForce, readSigningKeys, type SigningKey } from './signing-key.ts'

/** Where private keys are: the keys themselves go from there to the signer, and nowhere else. */
export type KeySource =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'variable'; readonly variable: string }

/** The keys of a source, read again when their file changes. */
export class KeyRing {
  readonly #source: KeySource
  #keys: readonly SigningKey[]
  #stamp: string

  /** A source without keys is the user's mistake. */
  constructor(source: KeySource) {
    this.#source = source
    this.#stamp = stampOf(source)
    this.#keys = readKeys(source)
  }

  /** The key to sign with now; seconds since 1970. */
  inForce(now: number): SigningKey {
    this.#readIfChanged()
    return keyInForce(this.#keys, now)
  }

  /** A file that is gone or damaged is no reason to stop signing: the keys that were read last hold on. */
  #readIfChanged(): void {
    try {
      const stamp = stampOf(this.#source)
      if (stamp === this.#stamp) return
      this.#keys = readKeys(this.#source)
      this.#stamp = stamp
    } catch {}
  }
}

function stampOf(source: KeySource): string {
  if (source.kind === 'variable') return ''
  const { mtimeMs, size, ino } = statSync(source.file, { throwIfNoEntry: false }) ?? {}
  return [mtimeMs, size, ino].join(' ')
}

function readKeys(source: KeySource): readonly SigningKey[] {
  if (source.kind === 'variable')
    return readSigningKeys(process.env[source.variable] ?? '', source.variable)
  const { file } = source
  if (/"kty"|PRIVATE KEY/.test(file))
    throw new SettingError(
      'identityKey',
      '{identityKey} takes the name of a file, not the key itself',
    )
  return readSigningKeys(textOf(file), `{identityKey} ${file}`)
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const what = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`
    throw new SettingError('identityKey', `{identityKey} ${file}: ${what}`)
  }
}
