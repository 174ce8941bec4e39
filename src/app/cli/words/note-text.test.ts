import { expect, test } from 'vitest'
import type { CrawlNote } from '#library/open/crawl-note.ts'
import { noteTo } from './note-text.ts'

test.each<[CrawlNote, string[]]>([
  [{ kind: 'taken up', fetches: 1 }, ['took up 1 fetch of a run that was cut off']],
  [
    { kind: 'policy without index', policy: 'pagerank' },
    [expect.stringMatching(/^without an index .*: going by --policy pagerank, new pages only$/)],
  ],
  [{ kind: 'no copies', policy: 'clicks', why: 'no queries' }, ['--policy clicks: no queries']],
  [{ kind: 'paused' }, ['paused: forager resume --dir mine lets it go on']],
  [{ kind: 'warc repaired', cutBytes: 3 }, []],
])('a note of the library is said in words of the command line: %j', (note, lines) => {
  const said: string[] = []
  noteTo({ note: (line) => void said.push(line) }, 'mine')(note)
  expect(said).toEqual(lines)
})
