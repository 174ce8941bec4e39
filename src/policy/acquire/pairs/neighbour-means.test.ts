import fc from 'fast-check'
import { expect, test } from 'vitest'
import { topicWeb } from '../paper/topic-web.test-kit.ts'
import { NEIGHBOUR_NAMES, neighbourhood, neighbourMeans } from './neighbour-means.ts'

const { facts } = topicWeb(1)
const around = neighbourhood(facts)
const allUrls = Uint32Array.from(facts.domains.keys())
const randomWorths = fc
  .array(fc.double({ min: 0, max: 5, noNaN: true }), {
    minLength: facts.visits.length,
    maxLength: facts.visits.length,
  })
  .map((values) => {
    const worths = new Float64Array(facts.domains.length)
    facts.visits.forEach((url, i) => {
      worths[url] = values[i] + 0.01
    })
    return worths
  })

function naiveSiblings(worths: Float64Array, url: number): number {
  const fetched = new Set(facts.visits)
  const mean = [...fetched].reduce((sum, one) => sum + worths[one], 0) / fetched.size
  const { offsets, targets } = facts.links
  const means = [...fetched].flatMap((parent) => {
    const children = [...targets.subarray(offsets[parent], offsets[parent + 1])]
    if (!children.includes(url)) return []
    const siblings = children.filter((child) => child !== url && fetched.has(child))
    const sum = siblings.reduce((total, child) => total + worths[child], 0)
    return [(sum + 2 * mean) / (siblings.length + 2) / mean]
  })
  return means.reduce((sum, one) => sum + one, 0) / means.length
}

test('siblings are what the same pages link to, without the page itself', () => {
  fc.assert(
    fc.property(randomWorths, (worths) => {
      const [siblings] = neighbourMeans(around, worths, allUrls)
      for (const url of allUrls.filter((url) => url % 7 === 0)) {
        const naive = naiveSiblings(worths, url)
        if (Number.isNaN(naive)) expect(siblings[url]).toBeNaN()
        else expect(siblings[url]).toBeCloseTo(naive, 4)
      }
    }),
    { numRuns: 10 },
  )
})

test('pages of a host speak for each other, a page never for itself', () => {
  fc.assert(
    fc.property(randomWorths, (worths) => {
      const host = neighbourMeans(around, worths, allUrls)[NEIGHBOUR_NAMES.indexOf('host')]
      const mean = worths.reduce((sum, worth) => sum + worth, 0) / facts.visits.length
      for (const url of allUrls.filter((url) => url % 7 === 0)) {
        const others = facts.visits.filter(
          (other) => other !== url && facts.hosts[other] === facts.hosts[url],
        )
        const sum = others.reduce((total, other) => total + worths[other], 0)
        expect(host[url]).toBeCloseTo((sum + 2 * mean) / (others.length + 2) / mean, 4)
      }
    }),
    { numRuns: 10 },
  )
})
