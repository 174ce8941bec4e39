import { type FleetStatus, fleetStatus } from '#fetch/fleet/fleet-status.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { runningCrawl } from '../control/progress-file.ts'
import { openLeases } from './open-leases.ts'

/** How the fleet of a database is, whether somebody plans for it or not. */
export async function readFleetStatus(address: string): Promise<FleetStatus> {
  const leases = await openLeases(address)
  try {
    return await fleetStatus(leases)
  } finally {
    await leases.close()
  }
}

/** The worker that has the domain of a URL now, as a crawl that runs in the directory tells. */
export function workerWith(dir: string, url: string): string | undefined {
  return runningCrawl(dir)?.fleet?.leased[registrableDomain(hostOf(url))]
}
