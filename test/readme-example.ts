import { readFileSync } from 'node:fs'

/** The example of the README's section on the library, as a program. */
export function readmeExample(): string {
  const readme = readFileSync('README.md', 'utf8')
  const [, example] = /## In a program[\s\S]*?```js\n([\s\S]*?)```/.exec(readme) ?? []
  if (example === undefined) throw new Error('README.md has no example of the library')
  return example
}
