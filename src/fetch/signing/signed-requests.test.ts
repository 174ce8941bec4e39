import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  fetcherTo,
  htmlOf,
  outcomesOf,
  type Respond,
  requestsFor,
  scriptedServer,
  smallSite,
  threadTo,
} from '../scripted-server.test-kit.ts'
import { newSigningKey, privateKeySet, publicKeySet, rotated } from './key-set.ts'
import { directoryUrl } from './profile.ts'
import type { SigningOptions } from './request-signer.ts'
import { verifiedRequest } from './verifier.test-kit.ts'

const KEYS_URL = directoryUrl('https://bot.example')
const nowSeconds = () => Math.floor(Date.now() / 1000)

/** A key in a file of its own, and what is to be published of it. */
function keyFile(keys = [newSigningKey(nowSeconds() - 100)] as const) {
  const folder = mkdtempSync(join(tmpdir(), 'forager-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'key.json')
  writeFileSync(file, privateKeySet(keys), { mode: 0o600 })
  const signing = (when: SigningOptions['when']): SigningOptions => ({
    key: { kind: 'file', file },
    keysUrl: KEYS_URL,
    when,
  })
  return { keys, file, signing, directory: publicKeySet(keys) }
}

/** Refuses whoever does not sign, and asks them to. */
function gateway(asking: string, status = 403): Respond {
  return (request, response) => {
    if (request.headers.signature) smallSite()(request, response)
    else response.writeHead(status, { 'accept-signature': asking }).end(REFUSAL)
  }
}

const REFUSAL = 'who are you?'
const ASKING = 'sig1=("@authority" "signature-agent";key="sig1");created;expires;tag="web-bot-auth"'

describe.each([
  ['in process', fetcherTo],
  ['on a thread', threadTo],
])('requests that are sent %s', (_, open) => {
  test('are signed, robots.txt too, and verified by another implementation', async () => {
    const { signing, directory, keys } = keyFile()
    await using server = await scriptedServer(smallSite('User-agent: *\nDisallow: /no'))
    await using fetcher = open(server.port, { signing: signing('always') })
    await outcomesOf(fetcher, requestsFor('http://a.example/x?y=1', 'http://b.example/'))
    expect(server.arrivals.map(({ path }) => path).sort()).toEqual([
      ...['/', '/robots.txt', '/robots.txt', '/x?y=1'],
    ])
    for (const arrival of server.arrivals)
      expect(await verifiedRequest(arrival, directory)).toMatchObject({
        keyid: keys[0].keyId,
        agent: `sig1="${KEYS_URL}"`,
      })
  })

  test('are not signed for hosts that do not ask, and once refused are signed for those that do', async () => {
    const { signing, directory } = keyFile()
    await using server = await scriptedServer((request, response) => {
      const isGuarded = request.headers.host === 'guarded.example'
      const site = isGuarded ? gateway(ASKING) : smallSite()
      site(request, response)
    })
    await using fetcher = open(server.port, { signing: signing('when-asked') })
    const urls = ['http://open.example/1', 'http://guarded.example/1', 'http://guarded.example/2']
    const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
    expect(outcomes.map(({ kind }) => kind)).toEqual(['page', 'page', 'page'])
    const [signed, unsigned] = [true, false].map((isSigned) =>
      server.arrivals.filter(({ headers }) => 'signature' in headers === isSigned),
    )
    expect(signed.map(({ host, path }) => host + path).sort()).toEqual([
      ...['guarded.example/1', 'guarded.example/2', 'guarded.example/robots.txt'],
    ])
    for (const arrival of signed) await verifiedRequest(arrival, directory)
    // The robots.txt was refused, and that was enough.
    expect(unsigned.map(({ host, path }) => host + path).sort()).toEqual([
      ...['guarded.example/robots.txt', 'open.example/1', 'open.example/robots.txt'],
    ])
    expect(
      unsigned.flatMap(({ headers }) => Object.keys(headers).filter((name) => /^sig/.test(name))),
    ).toEqual([])
  })
})

describe('a server that asks for a signature', () => {
  const refusals =
    (status: number, asking: string): Respond =>
    (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end()
      else response.writeHead(status, { 'accept-signature': asking }).end('no')
    }

  test.each([401, 403, 429])(
    'and says %i all the same is asked once more, and only once',
    async (status) => {
      const { signing } = keyFile()
      await using server = await scriptedServer(refusals(status, ASKING))
      await using fetcher = fetcherTo(server.port, {
        signing: signing('when-asked'),
        busySeconds: 0.01,
      })
      const urls = ['http://a.example/1', 'http://a.example/2', 'http://a.example/3']
      const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
      expect(outcomes.map(({ kind }) => kind)).toEqual(
        Array(3).fill(status === 429 ? 'failed' : 'denied'),
      )
      expect(server.pages().map(({ path, headers }) => [path, 'signature' in headers])).toEqual([
        ...[['/1', false]],
        ...[['/1', true]],
        ...[['/2', true]],
        ...[['/3', true]],
      ])
    },
  )

  test.each([
    ['what was sent already', ASKING],
    ['what a request does not have', 'sig1=("@authority" "content-digest");nonce="n"'],
    ['a key that is not ours', 'sig1=("@authority" "@path");keyid="somebody"'],
    ['what nobody understands', 'sig1=(('],
  ])('for %s is not asked again', async (_, asking) => {
    const { signing } = keyFile()
    await using server = await scriptedServer(refusals(403, asking))
    await using fetcher = fetcherTo(server.port, { signing: signing('always') })
    await outcomesOf(fetcher, requestsFor('http://a.example/1'))
    expect(server.pages()).toHaveLength(1)
  })

  test('gets the label, the components and the nonce that it wants, the nonce once', async () => {
    const { signing, directory } = keyFile()
    const asking = 'proof=("@method" "@path" "user-agent" "signature-agent");nonce="n-1"'
    await using server = await scriptedServer((request, response) => {
      const isGood = String(request.headers['signature-input']).startsWith('proof=')
      if (isGood) smallSite()(request, response)
      else refusals(401, asking)(request, response)
    })
    await using fetcher = fetcherTo(server.port, { signing: signing('always') })
    await outcomesOf(fetcher, requestsFor('http://a.example/1', 'http://a.example/2'))
    const [first, again, next] = server.pages()
    const components = ['@method', '@path', 'user-agent']
    expect(await verifiedRequest(first, directory)).toMatchObject({ label: 'sig1' })
    expect(await verifiedRequest(again, directory, { components })).toMatchObject({
      label: 'proof',
      nonce: 'n-1',
    })
    const { nonce } = await verifiedRequest(next, directory, { components })
    expect(nonce).toBeUndefined()
    expect(server.pages()).toHaveLength(3)
  })

  test('and refused several requests at once gets each of them once more', async () => {
    const { signing } = keyFile()
    const bothCame = Promise.withResolvers<void>()
    let came = 0
    await using server = await scriptedServer(async (request, response) => {
      if (request.url !== '/robots.txt' && ++came === 2) bothCame.resolve()
      if (request.url !== '/robots.txt') await bothCame.promise
      refusals(403, ASKING)(request, response)
    })
    await using fetcher = fetcherTo(server.port, {
      signing: signing('when-asked'),
      connectionsPerHost: 2,
    })
    await outcomesOf(fetcher, requestsFor('http://a.example/1', 'http://a.example/2'))
    const sent = server.pages().map(({ path, headers }) => `${path} ${'signature' in headers}`)
    expect(sent.sort()).toEqual(['/1 false', '/1 true', '/2 false', '/2 true'])
  })

  test('with a page gets the next request signed, and the same page not again', async () => {
    const { signing } = keyFile()
    await using server = await scriptedServer((request, response) => {
      response.setHeader('accept-signature', ASKING)
      smallSite()(request, response)
    })
    await using fetcher = fetcherTo(server.port, { signing: signing('when-asked') })
    await outcomesOf(fetcher, requestsFor('http://a.example/1'))
    expect(server.arrivals.map(({ headers }) => 'signature' in headers)).toEqual([false, true])
  })

  test('gets its politeness delay before it is asked again', async () => {
    const { signing } = keyFile()
    await using server = await scriptedServer(refusals(403, ASKING))
    await using fetcher = fetcherTo(server.port, {
      signing: signing('when-asked'),
      delayMs: 300,
      clock: { now: () => Date.now() / 1000 },
    })
    const [outcome] = await outcomesOf(fetcher, requestsFor('http://a.example/1'))
    const [first, second] = server.pages()
    expect(second.at - first.endedAt).toBeGreaterThan(290)
    expect(outcome.ms, 'the rest is not how long it took').toBeLessThan(
      second.endedAt - first.at - 250,
    )
  })

  test('is left alone for as long as it wants, even if that is too long for another try', async () => {
    const { signing } = keyFile()
    await using server = await scriptedServer((request, response) => {
      response.setHeader('retry-after', '600')
      refusals(429, ASKING)(request, response)
    })
    await using fetcher = fetcherTo(server.port, { signing: signing('when-asked') })
    const [outcome] = await outcomesOf(fetcher, requestsFor('http://a.example/1'))
    expect(outcome).toMatchObject({ kind: 'failed', retryAfterSeconds: 600 })
    expect(server.pages()).toHaveLength(1)
  })

  const guardedPages: Respond = (request, response) => {
    const site = request.url === '/robots.txt' ? smallSite() : gateway(ASKING)
    site(request, response)
  }

  test('for what it does not accept all the same is given it once', async () => {
    const { signing } = keyFile()
    await using server = await scriptedServer(refusals(403, 'x=("@path");nonce="7"'))
    await using fetcher = fetcherTo(server.port, { signing: signing('always') })
    await outcomesOf(fetcher, requestsFor('http://a.example/1', 'http://a.example/2'))
    expect(server.pages().map(({ path }) => path)).toEqual(['/1', '/1', '/2'])
  })

  test('sends no more than the bytes that are left, both answers together', async () => {
    const { signing } = keyFile()
    await using server = await scriptedServer(guardedPages)
    const left = Buffer.byteLength(htmlOf('page /1')) + 5
    const options = { signing: signing('when-asked'), bytesLeft: () => left }
    await using fetcher = fetcherTo(server.port, options)
    const [outcome] = await outcomesOf(fetcher, requestsFor('http://a.example/1'))
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'out of bytes' })
  })

  test('has the bytes of both answers counted', async () => {
    const { signing } = keyFile()
    await using server = await scriptedServer(guardedPages)
    await using fetcher = fetcherTo(server.port, { signing: signing('when-asked') })
    const [outcome] = await outcomesOf(fetcher, requestsFor('http://a.example/1'))
    const bytes = Buffer.byteLength(`${REFUSAL}${htmlOf('page /1')}`)
    expect(outcome).toMatchObject({ kind: 'page', bytes })
  })
})

test('without a key, or as long as nobody asks, requests are to the byte what they were', async () => {
  const { signing } = keyFile()
  await using server = await scriptedServer(smallSite())
  const heads = [undefined, signing('when-asked')].map(async (signing) => {
    await using fetcher = fetcherTo(server.port, { keepExchange: true, signing })
    const [outcome] = await outcomesOf(fetcher, requestsFor('http://a.example/'))
    return [outcome.exchange, outcome.robots?.[0].exchange].map((one) => one?.requestHead)
  })
  const [unsigned, unasked] = await Promise.all(heads)
  expect(unasked).toEqual(unsigned)
  expect(unsigned[0]).toBe(
    [
      'GET / HTTP/1.1',
      'host: a.example',
      'connection: keep-alive',
      'x-forwarded-proto: http',
      'user-agent: forager-test/1.0 (+https://example.org/bot)',
      'accept: text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1',
      'accept-encoding: gzip, deflate, br, zstd',
      '\r\n',
    ].join('\r\n'),
  )
})

describe('keys', () => {
  test('rotate amid a crawl, and every request verifies by the directory of its time', async () => {
    const { signing, file, keys } = keyFile()
    const now = nowSeconds()
    const after = rotated(keys, now - 1, now)
    let directory = publicKeySet(keys)
    const verified: Promise<unknown>[] = []
    await using server = await scriptedServer((request, response) => {
      const { headers, url: path = '' } = request
      verified.push(
        verifiedRequest({ host: headers.host!, path, headers }, directory).then(
          ({ keyid }) => keyid,
        ),
      )
      if (path === '/1') {
        writeFileSync(`${file}.new`, privateKeySet(after), { mode: 0o600 })
        renameSync(`${file}.new`, file)
        directory = publicKeySet(after)
      }
      smallSite()(request, response)
    })
    await using fetcher = threadTo(server.port, { signing: signing('always') })
    await outcomesOf(fetcher, requestsFor(...[1, 2, 3].map((n) => `http://a.example/${n}`)))
    const [old, next] = after.map(({ keyId }) => keyId)
    expect(await Promise.all(verified)).toEqual([old, old, next, next])
  })

  test('of a file that is damaged later, or gone, are used on', async () => {
    const { signing, file, directory } = keyFile()
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, { signing: signing('always') })
    for (const [n, damage] of [
      () => {},
      () => writeFileSync(file, '{"keys":'),
      () => rmSync(file),
    ].entries()) {
      damage()
      await outcomesOf(fetcher, [{ id: n, url: `http://h${n}.example/`, priority: 0 }])
    }
    expect(server.arrivals).toHaveLength(6)
    for (const arrival of server.arrivals) await verifiedRequest(arrival, directory)
  })

  test.each([-60, 60])('verify by a clock that is %i seconds off', async (off) => {
    const { signing, directory } = keyFile()
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, { signing: signing('always') })
    await outcomesOf(fetcher, requestsFor('http://a.example/'))
    const now = Date.now() / 1000 + off
    for (const arrival of server.arrivals) await verifiedRequest(arrival, directory, { now })
    const [arrival] = server.arrivals
    const later = { now: now + 400 }
    await expect(verifiedRequest(arrival, directory, later)).rejects.toThrow()
  })

  test('prove nothing for another host or agent than was signed', async () => {
    const { signing, directory } = keyFile()
    await using server = await scriptedServer(smallSite())
    await using fetcher = fetcherTo(server.port, { signing: signing('always') })
    await outcomesOf(fetcher, requestsFor('http://a.example/'))
    const [arrival] = server.arrivals
    const elsewhere = { ...arrival, host: 'b.example' }
    await expect(verifiedRequest(elsewhere, directory)).rejects.toThrow()
    const headers = { ...arrival.headers, 'signature-agent': 'sig1="https://other.example"' }
    await expect(verifiedRequest({ ...arrival, headers }, directory)).rejects.toThrow()
    await expect(verifiedRequest(arrival, keyFile().directory)).rejects.toThrow()
  })
})
