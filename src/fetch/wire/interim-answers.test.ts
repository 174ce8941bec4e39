import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { InterimAnswers } from './interim-answers.ts'

/** What the parser gets to see of an answer that arrives in these pieces. */
function seen(...pieces: string[]): string {
  const interim = new InterimAnswers()
  interim.begin()
  const buffers = pieces.map((piece) => Buffer.from(piece, 'latin1'))
  for (const buffer of buffers) interim.see(buffer)
  return Buffer.concat(buffers).toString('latin1')
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\nX-A: 1\r\n\r\n'
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHTTP/1.1 100'

describe('an unasked 100', () => {
  test.each([
    ['alone', CONTINUE + ANSWER],
    ['twice', CONTINUE + CONTINUE + ANSWER],
    ['after other 1xx', HINTS + CONTINUE + HINTS + CONTINUE + ANSWER],
    ['after an empty line', `\r\n${CONTINUE}${ANSWER}`],
    ['without headers', `HTTP/1.0 100 \r\n\r\n${ANSWER}`],
  ])('%s becomes a 102, and the answer is not touched', (_, wire) => {
    const [heads] = wire.split('HTTP/1.1 200')
    expect(seen(wire)).toBe(heads!.replaceAll(' 100 ', ' 102 ') + ANSWER)
  })

  test('is found however the bytes are cut', () => {
    const wire = HINTS + CONTINUE + ANSWER
    fc.assert(
      fc.property(fc.array(fc.nat(wire.length), { maxLength: 20 }), (cuts) => {
        const ends = [...cuts.sort((a, b) => a - b), wire.length]
        const pieces = ends.map((end, i) => wire.slice(ends[i - 1] ?? 0, end))
        expect(seen(...pieces)).toBe(seen(wire))
      }),
    )
  })
})

test.each(['HTTP/1.1 200 100\r\n\r\n', 'HTTP/1.1 404 x\r\n\r\nHTTP/1.1 100', 'SSH-2.0 100', ''])(
  'what is no 1xx passes unchanged: %j',
  (wire) => {
    expect(seen(wire)).toBe(wire)
  },
)
