/** Names and addresses of the farm: hosts are spread over addresses of the loopback network. */
export const FARM = { hosts: 400, addresses: 40, pages: 100, latencyMs: 100, retryAfterSeconds: 5 }

export const hostName = (host: number): string => `h${host}.test`

export function addressOf(name: string): string | undefined {
  const host = /^h(\d+)\.test$/.exec(name)?.[1]
  return host === undefined ? undefined : `127.7.0.${1 + (Number(host) % FARM.addresses)}`
}

/** Every tenth host now and then asks to be left alone. */
export const isBusyHost = (host: number): boolean => host % 10 === 3
