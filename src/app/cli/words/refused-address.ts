/**
 * Why an address was not asked, by the fetcher's reason ("port 25", "loopback address 127.0.0.1"), and the flag
 * for who means it all the same.
 */
export function refusedAddressText(url: string, reason: string): string {
  const port = /^port (\d+)$/.exec(reason)?.[1]
  if (reason === 'no contact')
    return `${url} is not asked: without --contact nobody but this machine is`
  if (port === undefined)
    return `${url} is not asked (${reason}); if you mean it, run the same command with --allow-private`
  const host = new URL(url).hostname
  return `${url} is not asked: port ${port} is another protocol's, also with --allow-private; if a web server listens there, say so with --resolve '${host}=ADDRESS:${port}'`
}
