import { expect, test } from 'vitest'
import { unmatchedIncludes } from './unmatched.ts'

test('patterns that nothing matches are named, those of sites too; without any nobody is asked', () => {
  const urls = ['https://a.example/docs/1', 'https://a.example/x']
  const rules = {
    include: ['a.example/docs/*', '/en/', '*/faq'],
    sites: [{ match: 'a.example', include: ['/x', '/y'] }, { match: 'b.example' }],
  }
  expect(unmatchedIncludes(rules, () => urls)).toEqual(['/en/', '*/faq', '/y'])
  const asked = () => {
    throw new Error('nobody should ask')
  }
  expect(unmatchedIncludes({}, asked)).toEqual([])
})
