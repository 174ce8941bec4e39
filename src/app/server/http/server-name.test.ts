import { expect, test } from 'vitest'
import { goesBy } from './server-name.ts'

test.each([
  ['127.0.0.1', 'localhost:8080', true],
  ['127.0.0.1', '127.0.0.1', true],
  ['localhost', 'search.localhost:80', true],
  ['::1', '[::1]:8080', true],
  ['127.0.0.1', 'attacker.example:8080', false],
  ['127.0.0.1', 'localhost.attacker.example', false],
  ['127.0.0.1', undefined, false],
  ['0.0.0.0', 'my-machine.example', true],
])('listening on %s and called %s: %s', (listensOn, hostHeader, isOurs) => {
  expect(goesBy(listensOn, hostHeader)).toBe(isOurs)
})
