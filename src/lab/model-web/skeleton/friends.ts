import { type Random, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import type { Domain } from './hosts.ts'
import type { WebPlan } from './model-web.ts'

/**
 * Blogroll-like ties: each domain recommends a few others, mostly of its own field and the larger
 * ones more often. Every domain is recommended somewhere, so that nothing is beyond reach; spam
 * recommends spam.
 */
export function drawFriends(random: Random, web: WebPlan): void {
  const { topics, weeks, domains } = web
  const isSpam = (domain: Domain) => domain.archetype.name === 'spam'
  const spam = domains.filter(isSpam)
  const honest = domains.filter((domain) => !isSpam(domain))
  const byRank = new WeightedSampler(zipfWeights(honest.length, 0.6))
  const field = (domain: Domain) => topics.field[domain.topic]
  const inField = Map.groupBy(honest, field)
  const recommended = new Set<Domain>()
  const befriend = (domain: Domain, friend: Domain) => {
    const since = Math.max(domain.birth, friend.birth + (friend.birth > 0 ? random.below(3) : 0))
    const known = domain.friends.some((other) => other.domain === friend)
    if (friend === domain || known || since >= Math.min(weeks, domain.end, friend.end)) return
    domain.friends.push({ domain: friend, since })
    recommended.add(friend)
  }
  for (const domain of domains) {
    const count = 2 + random.poisson(4)
    for (let tie = 0; tie < count; tie++) {
      if (isSpam(domain)) befriend(domain, random.pick(spam))
      else if (random.chance(0.6)) befriend(domain, random.pick(inField.get(field(domain))!))
      else befriend(domain, honest[byRank.sample(random)])
    }
  }
  // The friendless are recommended by old, lasting domains; spam gets in there too, by comments.
  const lasting = honest.filter((domain) => domain.birth === 0 && domain.end === weeks)
  for (const friend of domains)
    for (let tries = 0; tries < 9 && !(recommended.has(friend) && !isSpam(friend)); tries++) {
      const before = recommended.size
      befriend(random.pick(lasting), friend)
      if (isSpam(friend) || recommended.size > before) break
    }
}
