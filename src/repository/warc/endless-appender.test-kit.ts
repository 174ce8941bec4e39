import { writeSync } from 'node:fs'
import { WarcWriter } from './write/warc-writer.ts'

/**
 * A process of its own that appends exchanges until it is killed or cannot: `node … DIR`. It prints
 * the number of each exchange that is kept, and the error that ended it.
 */
const writer = await WarcWriter.open(process.argv[2], {
  info: { software: 'forager/test' },
  rolloverBytes: Number(process.argv[3]),
})
const page = Array.from({ length: 400 }, (_, i) => `<p>${(i * 7919 * 104_729) % 1_000_003}`).join(
  '\n',
)
for (let number = 0; ; number++) {
  const body = new TextEncoder().encode(`${number}\n${page}`)
  try {
    writer.append(
      {
        requestHead: `GET /${number} HTTP/1.1\r\n\r\n`,
        responseHead: 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n',
        body,
        startedAt: 1_700_000_000 + number,
      },
      { url: `https://a.example/${number}`, purpose: 'acquire' },
    )
  } catch (error) {
    writeSync(1, `${(error as NodeJS.ErrnoException).code}\n`)
    break
  }
  writeSync(1, `${number}\n`)
}
