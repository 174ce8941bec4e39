/** What a policy file of a user's own needs: `import type { Bids, GraphFacts } from 'forager'`. */
export type { GraphFacts } from '#frontier/graph-facts.ts'
export type { Csr } from '#numeric/csr.ts'
export type { Bids, Policy, Purpose } from './bids.ts'
