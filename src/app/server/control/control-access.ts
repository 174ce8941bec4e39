import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../http/refusal.ts'
import type { Answer, Asked, Route } from '../http/route.ts'

const COOKIE = 'forager_control'

/** Who may look at the control room and act in it. */
export class ControlAccess {
  /** Left out, whoever reaches this address may look. */
  readonly #token: string | undefined
  /** Only pages of ours know it, so that no other site can send their forms. */
  readonly formKey = randomBytes(18).toString('base64url')

  constructor(token?: string) {
    this.#token = token
  }

  /** The same routes, for whoever has the token. A link with it signs a browser in. */
  guard(routes: readonly Route[]): Route[] {
    return routes.map((route) => ({
      ...route,
      answer: (given, asked) => this.#admit(asked) ?? route.answer(given, asked),
    }))
  }

  /** Whether a form came from one of our own pages. */
  isOwnForm(form: URLSearchParams): boolean {
    return isEqual(form.get('key') ?? '', this.formKey)
  }

  /** Undefined if who asks may go on. */
  #admit({ query, headers, path }: Asked): Answer | Refusal | undefined {
    if (this.#token === undefined) return undefined
    const shown = query.get('token')
    if (shown !== null && isEqual(shown, this.#token)) return this.#signedIn(path)
    const cookie = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1]
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    const isKnown =
      (cookie !== undefined && isEqual(cookie, this.#cookieValue())) ||
      (bearer !== undefined && isEqual(bearer, this.#token))
    if (isKnown) return undefined
    return new Refusal(
      401,
      'Open the address with ?token=… that was printed when the server started.',
    )
  }

  /** The address without the token, so that it is neither shown nor kept in the history. */
  #signedIn(path: string): Answer {
    return {
      status: 303,
      type: 'text/plain; charset=utf-8',
      body: 'signed in\n',
      headers: {
        location: path,
        'set-cookie': `${COOKIE}=${this.#cookieValue()}; Path=/; HttpOnly; SameSite=Strict`,
        'cache-control': 'no-store',
      },
    }
  }

  /** A browser keeps what the token cannot be read from. */
  #cookieValue(): string {
    return createHash('sha256').update(`control ${this.#token}`).digest('base64url')
  }
}

function isEqual(given: string, right: string): boolean {
  const [a, b] = [given, right].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(a, b)
}
