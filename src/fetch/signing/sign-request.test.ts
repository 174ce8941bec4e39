import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { keyThumbprint } from './key-thumbprint.ts'
import { signed, signRequest } from './sign-request.ts'
import { signatureBase, signatureInput } from './signature-base.ts'
import { readSigningKeys } from './signing-key.ts'
import { RFC_KEY_ID, RFC_KEY_JWK, RFC_KEY_PEM } from './vectors.test-kit.ts'

const [key] = readSigningKeys(RFC_KEY_PEM, 'the test')

describe('test vectors', () => {
  test('RFC 9421 B.2.6: a request signed with Ed25519', () => {
    const components = [
      { id: '"date"', value: 'Tue, 20 Apr 2021 02:07:55 GMT' },
      { id: '"@method"', value: 'POST' },
      { id: '"@path"', value: '/foo' },
      { id: '"@authority"', value: 'example.com' },
      { id: '"content-type"', value: 'application/json' },
      { id: '"content-length"', value: '18' },
    ]
    const { input, signature } = signed(components, key, {
      created: 1618884473,
      keyid: 'test-key-ed25519',
    })
    expect(input).toBe(
      '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    )
    expect(signature).toBe(
      'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
    )
  })

  test.each([
    [
      'RFC 8037 A.3',
      '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
    ],
    ['the drafts', RFC_KEY_JWK.x, RFC_KEY_ID],
  ])('%s: the name of a key', (_, x, keyId) => {
    expect(keyThumbprint({ kty: 'OKP', crv: 'Ed25519', x })).toBe(keyId)
  })

  const authority = { id: '"@authority"', value: 'example.com' }
  const agent = '"https://signature-agent.test"'
  test.each([
    {
      what: 'a member of a dictionary, called as the signature is (protocol-01)',
      component: { id: '"signature-agent";key="sig2"', value: agent },
      expires: 4889289600,
      nonce:
        'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==',
      value:
        'CGokAoY/FrPpyuzTe1Fb2kLTAH9Idw6qSFd1+D77r1firsMRCxeuLu5e6O+ek3zQgDMAzjiXtLVfqE00xnABCQ==',
    },
    {
      what: 'a member of another name (protocol-00)',
      component: { id: '"signature-agent";key="agent2"', value: agent },
      expires: 4889289600,
      nonce:
        'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==',
      value:
        'RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==',
    },
    {
      what: 'a string (architecture-03)',
      component: { id: '"signature-agent"', value: agent },
      expires: 1735693200,
      nonce:
        'e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==',
      value:
        'jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==',
    },
  ])('Web Bot Auth drafts: Signature-Agent is $what', ({ component, expires, nonce, value }) => {
    const params = {
      created: 1735689600,
      keyid: RFC_KEY_ID,
      alg: 'ed25519',
      expires,
      nonce,
      tag: 'web-bot-auth',
    }
    expect(signed([authority, component], key, params).signature).toBe(value)
  })

  test('Web Bot Auth drafts: the signature base, line by line', () => {
    const components = [authority, { id: '"signature-agent";key="agent2"', value: agent }]
    const input = signatureInput(components, { created: 1735689600, tag: 'web-bot-auth' })
    expect(signatureBase(components, input).split('\n')).toEqual([
      '"@authority": example.com',
      '"signature-agent";key="agent2": "https://signature-agent.test"',
      '"@signature-params": ("@authority" "signature-agent";key="agent2");created=1735689600;tag="web-bot-auth"',
    ])
  })

  test('Web Bot Auth drafts: a directory that proves whose it is', () => {
    const body = `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"${RFC_KEY_ID}","x":"${RFC_KEY_JWK.x}","use":"sig"}]}`
    const digest = createHash('sha256').update(body).digest('base64')
    const components = [
      { id: '"@authority";req', value: 'signature-agent.test' },
      { id: '"content-digest"', value: `sha-256=:${digest}:` },
    ]
    const params = {
      created: 1735689600,
      expires: 4889289600,
      keyid: RFC_KEY_ID,
      tag: 'http-message-signatures-directory',
    }
    expect(signed(components, key, params).signature).toBe(
      'l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==',
    )
  })
})

describe('a request', () => {
  const request = (url: string) => ({ url: new URL(url), headers: { 'user-agent': ' Bot/1 ' } })
  const inputOf = (url: string, components: string[]) =>
    signRequest(request(url), 'https://bot.example', key, 1e9, { label: 'a', components })

  test('has three headers, is dated back by a minute and valid for four', () => {
    expect(signRequest(request('http://A.example:80/x'), 'https://bot.example', key, 1e9)).toEqual({
      'signature-agent': 'sig1="https://bot.example"',
      'signature-input': `sig1=("@authority" "signature-agent";key="sig1");created=999999940;expires=1000000240;keyid="${RFC_KEY_ID}";tag="web-bot-auth"`,
      signature: expect.stringMatching(/^sig1=:[\w+/]{86}==:$/),
    })
  })

  test('covers what a server asks for, and is not signed when it lacks that', () => {
    expect(inputOf('https://a.example/b?c', ['@path', 'user-agent'])).toMatchObject({
      'signature-input': expect.stringMatching(
        /^a=\("@authority" "@path" "user-agent" "signature-agent";key="a"\)/,
      ),
    })
    expect(inputOf('https://a.example/b?c', ['@target-uri'])).toMatchObject({
      'signature-input': expect.stringMatching(/^a=\("@target-uri" "signature-agent";key="a"\)/),
    })
    expect(inputOf('https://a.example/', ['content-digest'])).toBeUndefined()
    expect(inputOf('https://a.example/', ['@status'])).toBeUndefined()
  })
})
