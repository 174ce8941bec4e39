import { expect, test } from 'vitest'
import { askAll } from './ask-all.ts'

async function* linesOf(...lines: string[]) {
  yield* lines
}

test('an answer that cannot be used is asked for again, with what is wanted', async () => {
  let said = ''
  const answers = await askAll(
    linesOf(
      ...['ftp://a.example/', 'a.example', '', 'me@a.example', 'no-such-log.csv', ''],
      ...['perhaps', 'y', '0', '500'],
    ),
    (text) => {
      said += text
    },
  )
  expect(answers).toEqual({
    ...{ seed: 'https://a.example/', contact: 'me@a.example', queryLog: '' },
    ...{ isService: true, budget: 500 },
  })
  for (const why of ['an address is wanted', 'you@example.org', 'no such file', 'y or n'])
    expect(said).toContain(why)
  expect(said).toContain('Fetches a day?')
  expect(said.match(/cannot be used/g)).toHaveLength(5)
})

test('an empty line takes what stands in brackets', async () => {
  const answers = await askAll(linesOf('a.example', 'me@a.example', '', '', ''), () => {})
  expect(answers).toMatchObject({ queryLog: '', isService: false, budget: 1000 })
})

test('who answers nothing more hears that it takes a terminal', async () => {
  await expect(askAll(linesOf('a.example'), () => {})).rejects.toThrow(/in a terminal/)
})
