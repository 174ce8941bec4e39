import type { JsonWebKey } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { component, verifySignature, webcrypto } from 'http-message-sig'

/** A request as it arrived. */
interface Arrived {
  readonly host: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly scheme?: 'https'
}

/**
 * Checks a request as a site would that knows the directory: by an implementation that is not ours, strict about time.
 * Gives the key's id, the label and the parameters, or fails with a reason.
 */
export async function verifiedRequest(
  { host, path, headers, scheme }: Arrived,
  directory: string,
  { now = Date.now() / 1000, components = [] as readonly string[] } = {},
) {
  const { keys } = JSON.parse(directory) as { keys: JsonWebKey[] }
  const fields = Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }))
  const [label] = String(headers['signature-input']).split('=')
  const [member] = String(headers['signature-agent']).split('=')
  const verified = await verifySignature(
    {
      kind: 'request',
      method: 'GET',
      targetUri: `${scheme ?? 'http'}://${host}${path}`,
      requestTarget: path,
      fields,
    },
    {
      label,
      policy: {
        algorithms: ['ed25519'],
        requiredComponents: [
          '@authority',
          component('signature-agent', { key: member }),
          ...components,
        ],
        requiredParameters: ['created', 'expires', 'keyid', 'tag'],
        maxAge: 600,
        clockSkew: 0,
        now: Math.floor(now),
        validate: ({ parameters }) => parameters.tag === 'web-bot-auth',
      },
      async resolveVerifier({ parameters }) {
        const jwk = keys.find(({ kid }) => kid === parameters.keyid)
        if (!jwk) throw new Error(`no key ${parameters.keyid} in the directory`)
        const key = await crypto.subtle.importKey('jwk', jwk, 'Ed25519', true, ['verify'])
        return webcrypto.verifier(key)
      },
    },
  )
  return { ...verified.parameters, label, agent: String(headers['signature-agent']) }
}
