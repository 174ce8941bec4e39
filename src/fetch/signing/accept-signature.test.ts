import fc from 'fast-check'
import { parseDictionary } from 'structured-headers'
import { describe, expect, test } from 'vitest'
import { cases } from '#numeric/cases.test-kit.ts'
import { parseAcceptSignature } from './accept-signature.ts'
import { parseInnerLists } from './inner-lists.ts'

describe('a signature that a server asks for', () => {
  test.each([
    [
      'sig1=("@authority" "signature-agent";key="sig1");created;expires;tag="web-bot-auth"',
      { label: 'sig1', components: ['@authority'] },
    ],
    [
      'a=("@method" "@path");nonce="x\\"y";keyid="k";alg="ed25519"',
      { label: 'a', components: ['@method', '@path'], nonce: 'x"y', keyId: 'k' },
    ],
    ['sig2=("signature-agent";key="sig2")', { label: 'sig2', components: [] }],
    [
      'no=("@authority");tag="other", yes=("@authority")',
      { label: 'yes', components: ['@authority'] },
    ],
    ['b=( "@path"   "@path" )', { label: 'b', components: ['@path'] }],
  ])('%s', (header, asked) => expect(parseAcceptSignature(header)).toEqual(asked))

  test.each([
    ['of another profile', 'a=("@authority");tag="other"'],
    ['by another algorithm', 'a=("@authority");alg="rsa-pss-sha512"'],
    ['over what a request has not', 'a=("@authority";req)'],
    ['whose nonce is no text', 'a=("@authority");nonce=7'],
    ['whose nonce is long', `a=("@authority");nonce="${'x'.repeat(300)}"`],
    ['over more than anybody needs', `a=(${'"x" '.repeat(40)})`],
    ['under a member that is called otherwise', 'a=("signature-agent";key="b")'],
    ['malformed', 'a=("@authority"'],
    ['with a line break', 'a=("@authority");nonce="x\r\ny"'],
  ])('is not given if it is %s', (_, header) => {
    expect(parseAcceptSignature(header)).toBeUndefined()
  })
})

test('dictionaries of lists are read as another implementation reads them, whatever is in them', () => {
  const piece = fc.constantFrom(
    ...[
      'a',
      'sig1',
      '=',
      '(',
      ')',
      '"',
      '"@authority"',
      '"x"',
      ';',
      ' ',
      ',',
      '\t',
      '?1',
      '?0',
      '7',
    ],
    ...['-1.5', 'key', '"k"', ':YQ==:', 'token', '\\', '@12', 'é', '*'],
  )
  const member = fc.constantFrom(
    'a=("x")',
    'b=("x";key="k" "y");n=7',
    'c=();t=tok;u=?0',
    'a=("z");v',
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join('')),
    fc
      .tuple(fc.array(member, { maxLength: 3 }), fc.array(piece, { maxLength: 2 }))
      .map(([members, rest]) => members.join(', ') + rest.join('')),
  )
  fc.assert(
    fc.property(text, (field) => {
      expect(keysOf(field)).toEqual(keysOfOther(field))
    }),
    { numRuns: cases(500, 20_000) },
  )
})

function keysOf(field: string): string[] {
  return [...parseInnerLists(field)].map(
    ([key, { items, params }]) => `${key}:${items.map(({ name }) => name)}:${[...params.keys()]}`,
  )
}

/** Members that are no lists of strings are no business of ours, nor then are those beside them. */
function keysOfOther(field: string): string[] {
  try {
    const members = [...parseDictionary(field)]
    const isOurs = members.every(
      ([, [value]]) => Array.isArray(value) && value.every(([item]) => typeof item === 'string'),
    )
    if (!isOurs) return []
    return members.map(
      ([key, [value, params]]) =>
        `${key}:${(value as [string, unknown][]).map(([item]) => item)}:${[...params.keys()]}`,
    )
  } catch {
    return []
  }
}
