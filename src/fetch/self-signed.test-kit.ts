import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** X.509 by hand, since Node reads certificates but makes none. DER is tag, length, content. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const integer = (value: Uint8Array) => der(0x02, value)
const bitString = (value: Uint8Array) => der(0x03, Buffer.from([0]), value)
const octetString = (value: Uint8Array) => der(0x04, value)
const TRUE = der(0x01, Buffer.from([0xff]))

function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number) as [number, number, ...number[]]
  const bytes = [40 * first + second]
  for (const part of rest) {
    const digits = [part & 127]
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 127) | 128)
    bytes.push(...digits)
  }
  return der(0x06, Buffer.from(bytes))
}

function utcTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return der(0x17, Buffer.from(`${digits}Z`))
}

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(commonName)))))
}

function extension(id: string, critical: boolean, value: Uint8Array): Buffer {
  return sequence(oid(id), ...(critical ? [TRUE] : []), octetString(value))
}

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A certificate for these hosts that vouches for itself, valid from a day ago for so many days. */
export function selfSigned(hosts: readonly string[], days = 2): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
  const name = nameOf(hosts[0]!)
  const start = new Date(Date.now() - 86_400_000)
  const end = new Date(start.getTime() + days * 86_400_000)
  const alternativeNames = sequence(...hosts.map((host) => der(0x82, Buffer.from(host))))
  const toBeSigned = sequence(
    der(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(utcTime(start), utcTime(end)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      sequence(
        extension('2.5.29.19', true, sequence(TRUE)), // its own authority
        extension('2.5.29.17', false, alternativeNames),
      ),
    ),
  )
  const certificate = sequence(
    toBeSigned,
    ecdsaWithSha256,
    bitString(sign('sha256', toBeSigned, privateKey)),
  )
  // No empty line at the end, whatever the length: OpenSSL would not take it.
  const base64 = certificate
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  }
}
