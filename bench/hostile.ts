import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { crawlHostileWeb, hostileWeb } from '#fetch/hostile-web.test-kit.ts'
import { liveFetcher } from '#fetch/live-fetcher.ts'
import { parseResolveRule } from '#fetch/resolve-rules.ts'
import { measure, rounded } from './cost.ts'
import { numberFlags } from './flags.ts'

const TIMEOUTS = { connectMs: 5_000, firstByteMs: 3_000, totalMs: 5_000 }

/** Crawls hosts of which most are hostile, and shows that it harms nobody but themselves. */
export async function run(args: string[]): Promise<object> {
  const flags = numberFlags(args, {
    responses: 1_200,
    'healthy-hosts': 5,
    'healthy-pages': 20,
    concurrency: 128,
    seed: 1,
  })
  const web = hostileWeb({
    responses: flags.responses,
    healthyHosts: flags['healthy-hosts'],
    healthyPages: flags['healthy-pages'],
    seed: flags.seed,
  })
  let crashed = 0
  const onCrash = (error: Error) => {
    crashed++
    console.error(error)
  }
  process.on('uncaughtException', onCrash).on('unhandledRejection', onCrash)
  const { server, port } = await startServer()
  const fetcher = liveFetcher({
    userAgent: 'Forager-bench (+https://bench.test/about)',
    agentToken: 'forager',
    resolve: [parseResolveRule(`*=127.0.0.1:${port}`)],
    delayMs: 0,
    connectionsPerHost: 1,
    concurrency: flags.concurrency,
    timeouts: TIMEOUTS,
    maxBodyBytes: 1 << 20,
    keepExchange: true,
    clock: { now: () => Date.now() / 1000 },
  })
  const { result, cost } = await measure('hostile', () => crawlHostileWeb(web, fetcher, 300))
  await fetcher.close()
  server.kill()
  process.off('uncaughtException', onCrash).off('unhandledRejection', onCrash)
  const hostile = result.outcomes.filter(({ id }) => id < web.kinds.length)
  return {
    benchmark: 'hostile',
    responses: web.kinds.length,
    kinds: tally(web.kinds),
    outcomes: tally(hostile.map(({ kind }) => kind)),
    healthy: {
      pages: result.healthyPages,
      allFetched: result.healthyPages === web.requests.length - web.kinds.length,
      seconds: rounded(result.healthySeconds),
      slowestMs: Math.round(result.healthySlowestMs),
    },
    seconds: rounded(result.seconds),
    cpuSeconds: cost.cpuSeconds,
    rssMb: cost.peakRssMb,
    doubled: result.doubled,
    crashed,
    hung: result.hung,
  }
}

async function startServer(): Promise<{ server: ChildProcess; port: number }> {
  const server = fork(`${import.meta.dirname}/hostile-server.ts`)
  const [port] = await once(server, 'message')
  return { server, port: Number(port) }
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
