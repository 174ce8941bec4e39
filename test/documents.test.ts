import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commandsPage } from '../scripts/commands-page.ts'
import { faultsOf } from './document-faults.ts'
import { readKnownNames } from './document-names.ts'

const known = readKnownNames()
const documents = [
  ...globSync('**/*.md', {
    exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(String(path)),
  }),
  ...globSync('.github/**/*.md'),
]

test('docs/reference/commands.md is current (else run: npm run docs)', async () => {
  expect(readFileSync('docs/reference/commands.md', 'utf8')).toBe(await commandsPage())
})

test.each(documents)('files, commands and settings that %s names exist', (path) => {
  expect(faultsOf(path, readFileSync(path, 'utf8'), known)).toEqual([])
})

describe('the check of documents', () => {
  test.each([
    ['a file', 'See `policy/no-such-file.ts`.', 'no such file: policy/no-such-file.ts'],
    ['a file without folder', 'See `no-such-file.ts`.', 'no such file: no-such-file.ts'],
    ['a folder', 'In `src/nowhere/` it is.', 'no such folder: src/nowhere/'],
    ['a command', '`forager crwl` does it', 'no such command: forager crwl'],
    ['a command below another', '`forager lab rn`', 'no such command: forager lab rn'],
    ['a flag', 'with `--budgett 3`', 'no command has --budgett'],
    ['a flag of another command', '`forager status --budget 3`', 'forager status has no --budget'],
    ['a setting', 'set `politeness.delay`', 'no such setting: politeness.delay'],
    ['an npm script', '```\nnpm run tests\n```', 'no such npm script: tests'],
    ['a benchmark', '`npm run bench -- nothing`', 'no such benchmark: nothing'],
    [
      'a flag on a continued line',
      '```sh\nnpx forager crawl \\\n  --bugdet 5 # not this one: --foo\n```',
      'forager crawl has no --bugdet',
    ],
    [
      'a flag behind a pipe',
      '```\ncat seeds | forager search --lmit 3\n```',
      'forager search has no --lmit',
    ],
    [
      'a key of a config',
      '```json\n{ "limits": { "tim": "2h" } }\n```',
      'no such setting: limits.tim',
    ],
  ])('finds %s that does not exist', (_, text, fault) => {
    expect(faultsOf('docs/page.md', text, known)).toEqual([fault])
  })

  test('finds nothing in what exists', () => {
    const text = [
      '`policy/bids.ts`, `src/policy/`, `bids.ts`, `--budget 5`, `politeness.delaySeconds`, `state.duckdb`',
      '```\nnpx forager lab run budget --archive a --budgets 2,5   # --no-such\nnpm run bench -- plan\n```',
      '```json\n{ "budget": 5, "limits": { "time": "2h" } }\n```',
    ].join('\n')
    expect(faultsOf('docs/page.md', text, known)).toEqual([])
  })
})
