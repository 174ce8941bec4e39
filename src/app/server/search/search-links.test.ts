import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { ResultLinks } from './search-links.ts'

const folder = sharedFolder()

const link = { url: 'https://a.org/?x=1&y=ä#z', queryId: 'abc', rank: 3 }
const parametersOf = (path: string) => new URLSearchParams(path.slice(path.indexOf('?') + 1))

test('a link that was given out leads back to its result', () => {
  const links = new ResultLinks(Buffer.alloc(32, 1))
  expect(links.read(parametersOf(links.pathOf(link)))).toEqual(link)
})

test('a link with anything changed is none of ours', () => {
  const links = new ResultLinks(Buffer.alloc(32, 1))
  for (const [name, value] of [
    ['u', 'https://evil.example/'],
    ['q', 'abd'],
    ['n', '4'],
    ['s', ''],
    ['s', 'x'.repeat(22)],
  ]) {
    const parameters = parametersOf(links.pathOf(link))
    parameters.set(name, value)
    expect(links.read(parameters), name).toBeUndefined()
  }
  expect(links.read(new URLSearchParams())).toBeUndefined()
  expect(
    new ResultLinks(Buffer.alloc(32, 2)).read(parametersOf(links.pathOf(link))),
  ).toBeUndefined()
})

test('links stay good when the server is started anew; the key is for its owner only', () => {
  const path = ResultLinks.of(folder).pathOf(link)
  expect(ResultLinks.of(folder).read(parametersOf(path))).toEqual(link)
  expect(statSync(join(folder, 'link-key')).mode & 0o077).toBe(0)
})

test('half a key is not used', () => {
  writeFileSync(join(folder, 'link-key'), 'short')
  const path = ResultLinks.of(folder).pathOf(link)
  expect(new ResultLinks(Buffer.from('short')).read(parametersOf(path))).toBeUndefined()
})
