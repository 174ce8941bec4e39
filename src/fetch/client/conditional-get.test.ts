import { describe, expect, test } from 'vitest'
import { conditionalHeaders } from './conditional-get.ts'

describe('asking whether a copy is still good', () => {
  const lastModified = 'Sun, 01 Mar 2026 00:00:00 GMT'
  test.each([
    [undefined, {}],
    [{}, {}],
    [{ etag: '"a"' }, { 'if-none-match': '"a"' }],
    [{ etag: 'W/"a"' }, { 'if-none-match': 'W/"a"' }],
    [{ etag: 'bare' }, { 'if-none-match': '"bare"' }],
    [{ lastModified }, { 'if-modified-since': lastModified }],
    [
      { etag: '"a"', lastModified },
      { 'if-none-match': '"a"', 'if-modified-since': lastModified },
    ],
    [{ etag: '"a"\r\nX-Evil: 1', lastModified: 'x\ny' }, {}],
  ])('%j', (validators, headers) => {
    expect(conditionalHeaders(validators)).toEqual(headers)
  })
})
