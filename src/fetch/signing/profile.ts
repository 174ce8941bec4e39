/** What draft-ietf-webbotauth-httpsig-protocol-01 fixes about signatures of crawlers, and what it leaves to us. */
export const TAG = 'web-bot-auth'
export const ALGORITHM = 'ed25519'
export const DIRECTORY_PATH = '.well-known/http-message-signatures-directory'
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json'

/** Where a site publishes the keys of its crawler; `Signature-Agent` names it as a whole. */
export function directoryUrl(origin: string): string {
  return `${origin}/${DIRECTORY_PATH}`
}

/** A verifier's clock may be this far from ours: signatures are dated back by it. */
export const CLOCK_SKEW_SECONDS = 60
/** So long a signature holds after it was made. */
export const VALID_SECONDS = 240
