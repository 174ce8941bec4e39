import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { writeConfig } from './config-folder.ts'
import { foragerIn } from './forager-process.ts'

describe('a mistake in "sites"', () => {
  const SECRET = 'hunter2-hunter2'

  test.each([
    [`{\n  "sites": [\n    { "bearer": ${SECRET} }\n  ]\n}`, /something unexpected near line 3 /],
    [SECRET, /something unexpected near line 1 /],
    [`// mine\n{ "sites": "${SECRET}" }`, /something unexpected near line [12] /],
    [`{ "sites": "${SECRET}", }`, /at position 30 \(line 1 column 31\)/],
    [`{ "sites": "${SECRET}`, /Unterminated string/],
  ])('(%j, which is no JSON) is named by its place, and quoted nowhere', async (text, words) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'forager.config.json'), text)
    vi.stubEnv('FORAGER_DEBUG', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { code, stderr, stdout } = await foragerIn(folder, 'crawl')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) })
    for (const part of [SECRET.slice(0, 7), SECRET.slice(-7)])
      expect(`${stdout}${stderr}`).not.toContain(part)
  })

  test.each([
    ['no list', { match: 'a.example' }, /sites must be a list/],
    ['no match', [{ delay: 1 }], /sites\[0\] needs a match/],
    ['a match for everybody', [{ match: '*.com' }], /sites\[0\]\.match "\*\.com" means everybody/],
    [
      'a password in a match',
      [{ match: `me:${SECRET}@a.example` }],
      /sites\[0\]\.match has a user name/,
    ],
    [
      'one site twice',
      [{ match: 'a.example' }, { match: 'A.example/' }],
      /sites\[1\]\.match is that of sites\[0\]/,
    ],
    [
      'an unknown key',
      [{ match: 'a.example', delaySeconds: 1 }],
      /sites\[0\] has no setting "delaySeconds"; did you mean "delay"\?/,
    ],
    [
      'a slip of the pen',
      [{ match: 'a.example', credentials: { baerer: SECRET } }],
      /sites\[0\]\.credentials has no setting "baerer"; did you mean "bearer"\?/,
    ],
    [
      'a delay that is none',
      [{ match: 'b.example' }, { match: 'a.example', delay: 'fast' }],
      /sites\[1\]\.delay must be a number of at least 0, not "fast"/,
    ],
    [
      'hours that are none',
      [{ match: 'a.example', quietHours: ['at night'] }],
      /sites\[0\]\.quietHours must be a list, each hours of the day, .*not \["at night"\]/,
    ],
    [
      'pages that are none',
      [{ match: 'a.example', maxPages: 0 }],
      /sites\[0\]\.maxPages must be a whole number of at least 1, not 0/,
    ],
    [
      'a time that is none',
      [{ match: 'a.example', refreshAfter: 'soon' }],
      /sites\[0\]\.refreshAfter must be a time of at least 1 second, .*not "soon"/,
    ],
    [
      'a delay for a path',
      [{ match: 'a.example/x', delay: 1 }],
      /sites\[0\]\.delay is for whole hosts/,
    ],
    [
      'no secret',
      [{ match: 'a.example', credentials: { bearer: { token: SECRET } } }],
      /sites\[0\]\.credentials\.bearer must be text, \{ "env": "NAME" \} or \{ "file": "path" \}/,
    ],
    [
      'half of a pair',
      [{ match: 'a.example', credentials: { basic: { password: SECRET } } }],
      /sites\[0\]\.credentials\.basic needs a user/,
    ],
    [
      'both kinds',
      [
        {
          match: 'a.example',
          credentials: { bearer: SECRET, basic: { user: 'a', password: SECRET } },
        },
      ],
      /sites\[0\]\.credentials takes one of basic and bearer/,
    ],
    [
      'a header that is ours',
      [{ match: 'a.example', headers: { Authorization: SECRET } }],
      /sites\[0\]\.headers\.Authorization cannot be set here: say it by credentials/,
    ],
    [
      'another host',
      [{ match: 'a.example', headers: { Host: 'b.example' } }],
      /sites\[0\]\.headers\.Host cannot be set/,
    ],
    [
      'a line break',
      [{ match: 'a.example', headers: { 'X-Key': `${SECRET}\r\nX-More: 1` } }],
      /sites\[0\]\.headers\.X-Key: the text has characters in it that cannot be sent there/,
    ],
    [
      'http by name',
      [{ match: 'http://a.example', credentials: { bearer: SECRET } }],
      /sites\[0\]\.match names http.*allowHttp/,
    ],
    [
      'a variable that is not set',
      [{ match: 'a.example', credentials: { bearer: { env: 'FORAGER_NO_SUCH_VARIABLE' } } }],
      /sites\[0\]\.credentials\.bearer: the environment variable FORAGER_NO_SUCH_VARIABLE is not set/,
    ],
    [
      'a file that is not there',
      [{ match: 'a.example', cookies: { id: { file: 'nowhere' } } }],
      /sites\[0\]\.cookies\.id: nowhere: there is no such file/,
    ],
  ])('(%s) is named, and no secret is', async (_, sites, words) => {
    const folder = temporaryFolder()
    writeConfig(folder, { sites, log: { file: 'log.jsonl' } })
    const args = ['crawl', 'https://a.example/', '--resolve', '*=127.0.0.1:9']
    const { code, stderr, stdout } = await foragerIn(folder, ...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) })
    expect(`${stdout}${stderr}`).not.toContain(SECRET)
  })
})
