/** Names and addresses of the farm: hosts are spread over addresses of the loopback network. */
/** What addresses of the farm begin with, where there is nothing but this machine. */
export const LOOPBACK = '127.7.0'

export const FARM = { hosts: 400, addresses: 40, pages: 100, latencyMs: 100, retryAfterSeconds: 5 }

export const hostName = (host: number): string => `h${host}.test`

export function addressOf(
  name: string,
  net = process.env.FLEET_FARM ?? LOOPBACK,
): string | undefined {
  const host = /^h(\d+)\.test$/.exec(name)?.[1]
  return host === undefined ? undefined : `${net}.${1 + (Number(host) % FARM.addresses)}`
}

/** So many requests a second manners allow: busy hosts rest longer after each seventh. */
export function mostASecond(delaySeconds: number): number {
  const pace = delaySeconds + FARM.latencyMs / 1000
  const busy = Array.from({ length: FARM.hosts }, (_, host) => host).filter(isBusyHost).length
  const busyPace = pace + Math.max(0, FARM.retryAfterSeconds - delaySeconds) / 7
  return (FARM.hosts - busy) / pace + busy / busyPace
}

/** Every tenth host now and then asks to be left alone. */
export const isBusyHost = (host: number): boolean => host % 10 === 3
