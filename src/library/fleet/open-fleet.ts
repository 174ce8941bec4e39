import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Leases } from '#crawl/leases/leases.ts'
import { SettingError } from '#errors/setting-error.ts'
import { mannersOf, usualPaceOf } from '#fetch/fetcher-options.ts'
import { type FleetNote, LeasedFetcher } from '#fetch/fleet/leased-fetcher.ts'
import { Sites } from '#fetch/sites/sites.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { keepCursor, storedCursor } from '../open/fleet-cursor.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'
import type { OpenWarcs } from '../open/warc-files.ts'
import { liveFetcherOptions, type Web } from '../open/web.ts'
import type { SettingsInForce } from '../settings/settings.ts'
import { type Announcement, announcementOf } from './announcement.ts'
import { openFleetPlaces, whenThere } from './open-leases.ts'

const FLEET_ID = 'fleet id'
/** So long a planner waits for its database when it starts. */
const WAIT_MS = 30_000

/** A planner's side of a fleet. */
export interface OpenFleet extends AsyncDisposable {
  readonly fetcher: LeasedFetcher
  readonly leases: Leases
}

interface FleetParts {
  readonly opened: OpenCrawl
  readonly web: Web & { readonly kind: 'live' }
  readonly warcs: OpenWarcs | undefined
  /** Left out for a service, which goes by a rate. */
  readonly budget: number | undefined
  readonly note: NoteListener
}

/** Workers elsewhere, if the settings name where they meet. A service goes by a rate, and not by a budget. */
export async function fleetFor(
  web: Web,
  settings: SettingsInForce,
  { isPaced, ...parts }: Omit<FleetParts, 'web' | 'budget'> & { readonly isPaced: boolean },
): Promise<OpenFleet | undefined> {
  if (settings.leases === undefined && settings.store === undefined) return undefined
  if (web.kind !== 'live')
    throw new SettingError(
      'leases',
      '{leases} is for the live web: a recorded one needs no workers',
    )
  const budget = isPaced ? undefined : settings.budget
  return openFleet(settings, { ...parts, web, budget })
}

/** Opens a fetcher whose requests workers elsewhere send, and takes up what they did since the last planner. */
async function openFleet(
  settings: SettingsInForce,
  { opened, web, warcs, budget, note }: FleetParts,
): Promise<OpenFleet> {
  await using open = new AsyncDisposableStack()
  const waiting = {
    signal: AbortSignal.timeout(WAIT_MS),
    onAway: (error: Error) => note({ kind: 'fleet', note: { kind: 'trouble', error } }),
  }
  const { leases, store } = await openFleetPlaces(settings, waiting)
  open.defer(() => leases.close())
  open.defer(() => store.close())
  await whenThere(() => announce(settings, opened, leases), waiting)
  const cursor = await storedCursor(opened.store)
  const memory = await opened.store.fetcherMemory()
  const options = liveFetcherOptions(settings, web.clock)
  const fleet = {
    ...{ leases, store, cursor, memory, clock: web.clock, deadline: web.until },
    // What was fetched by others than this fleet is not its to pay.
    total: budget === undefined ? undefined : budget - (opened.state.spent - cursor.spent),
    bytes: bytesOf(settings, opened),
    usualPace: usualPaceOf(options),
    perAddress: mannersOf(options, new Sites(options.sites)).perAddress,
    keepRecords: warcs?.appendPacked,
    sleep: (seconds: number) => sleep(1000 * seconds),
    note: (some: FleetNote) => note({ kind: 'fleet', note: some }),
  }
  // All that it asks for when it begins may be asked for again.
  const fetcher = await whenThere(() => LeasedFetcher.open(fleet), waiting)
  keepCursor(opened.store, () => fetcher.commitCursor())
  opened.store.rememberFetcher(fetcher, memory, web.clock.now())
  const held = open.move()
  return { fetcher, leases, [Symbol.asyncDispose]: () => held.disposeAsync() }
}

/** Of a budget of bytes, what is left. */
function bytesOf({ maxBytes, maxBody }: SettingsInForce, { state }: OpenCrawl) {
  if (maxBytes === undefined) return undefined
  return { left: () => maxBytes - state.bytes, ofOne: maxBody }
}

/** Tells workers how to fetch. A schema is one crawl's: its ledger knows what that has spent. */
async function announce(
  settings: SettingsInForce,
  { store }: OpenCrawl,
  leases: Leases,
): Promise<void> {
  const id = (await store.setting(FLEET_ID)) ?? randomUUID()
  const text = await leases.announced()
  const before: Announcement | undefined = text === '' ? undefined : JSON.parse(text)
  if (before && before.crawl !== id)
    throw new SettingError(
      'leases',
      'another crawl has its leases there: name another schema, as in {leases} postgres://host/database?schema=second',
    )
  await store.saveSetting(FLEET_ID, id)
  await leases.announce(JSON.stringify(announcementOf(id, settings)))
}
