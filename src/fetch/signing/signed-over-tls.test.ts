import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  fetcherTo,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedTlsServer,
  smallSite,
  threadTo,
} from '../scripted-server.test-kit.ts'
import { selfSigned } from '../self-signed.test-kit.ts'
import { parseResolveRule } from '../wire/resolve-rules.ts'
import { newSigningKey, privateKeySet, publicKeySet } from './key-set.ts'
import { directoryUrl } from './profile.ts'
import type { SigningOptions } from './request-signer.ts'
import { verifiedRequest } from './verifier.test-kit.ts'

const certificate = selfSigned(['a.example', 'b.example'])
const keys = [newSigningKey(Math.floor(Date.now() / 1000) - 100)]
const directory = publicKeySet(keys)

function signing(when: SigningOptions['when']): SigningOptions {
  const folder = mkdtempSync(join(tmpdir(), 'forager-tls-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'key.json')
  writeFileSync(file, privateKeySet(keys), { mode: 0o600 })
  return { key: { kind: 'file', file }, keysUrl: directoryUrl('https://bot.example'), when }
}

const COMPONENTS = ['@method', '@scheme', '@target-uri', '@request-target', '@path', '@query']
const ASKING = `proof=(${['@authority', ...COMPONENTS, 'user-agent', 'signature-agent'].map((one) => `"${one}"`).join(' ')});nonce="n-1"`

describe.each([
  ['HTTP/1.1', false],
  ['HTTP/2', true],
] as const)('over TLS and %s', (name, http2) => {
  const version = name.slice('HTTP/'.length).padEnd(3, '.0')
  const optionsFor = (port: number, when: SigningOptions['when']) => ({
    signing: signing(when),
    resolve: [parseResolveRule(`*=https://127.0.0.1:${port}`)],
    ca: certificate.cert,
    http2,
    keepExchange: true,
  })

  test.each([
    ['in process', fetcherTo],
    ['on a thread', threadTo],
  ])('requests that are sent %s verify, also those for another port', async (_, open) => {
    await using server = await scriptedTlsServer(
      certificate,
      smallSite('User-agent: *\nDisallow: /no'),
    )
    await using fetcher = open(server.port, optionsFor(server.port, 'always'))
    const urls = ['https://a.example/x?y=1', 'https://b.example/', 'https://b.example:8443/z']
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['page', 'page', 'page'])
    expect(server.arrivals.map(({ host, path }) => host + path).sort()).toEqual([
      ...['a.example/robots.txt', 'a.example/x?y=1', 'b.example/', 'b.example/robots.txt'],
      ...['b.example:8443/robots.txt', 'b.example:8443/z'],
    ])
    for (const arrival of server.arrivals) {
      expect(arrival.version).toBe(version)
      const { keyid } = await verifiedRequest({ ...arrival, scheme: 'https' }, directory)
      expect(keyid).toBe(keys[0].keyId)
    }
    expect(outcomes[0].exchange?.requestHead).toMatch(/^signature: sig1=:/m)
  })

  test('a server that asks for all there is gets it, once more and signed', async () => {
    const gateway: Respond = (request, response) => {
      if (request.headers.signature) smallSite()(request, response)
      else response.writeHead(403, { 'accept-signature': ASKING }).end('who are you?')
    }
    await using server = await scriptedTlsServer(certificate, gateway)
    await using fetcher = fetcherTo(server.port, optionsFor(server.port, 'when-asked'))
    const outcomes = await outcomesOf(
      fetcher,
      requestsFor('https://a.example/x?y=1', 'https://a.example/2'),
    )
    expect(outcomes.map(({ kind }) => kind)).toEqual(['page', 'page'])
    const [refused, ...signed] = server.arrivals
    expect(refused.headers).not.toHaveProperty('signature')
    expect(signed.map(({ path }) => path)).toEqual(['/robots.txt', '/x?y=1', '/2'])
    for (const arrival of signed)
      await verifiedRequest({ ...arrival, scheme: 'https' }, directory, {
        components: [...COMPONENTS, 'user-agent'],
      })
  })
})
