import { httpGet } from '../http/http-get.ts'
import { urlRefusal } from '../wire/address-guard.ts'
import { type ConnectionOptions, Connections } from '../wire/connections.ts'

/** What came of a form: the status of the answer, or why there was none. */
export type FormAnswer = { readonly status: number } | { readonly fault: string }

interface FormOptions
  extends Omit<ConnectionOptions, 'connectionsPerHost' | 'idleMs' | 'maxOrigins'> {
  readonly userAgent: string
  readonly totalMs: number
}

/** What an answer says beside its status is of no interest. */
const MOST_ANSWER_BYTES = 16_384

/** Sends forms, by connections that are guarded as those of a crawl are: to public addresses, and to no strange ports. */
export class FormPoster implements AsyncDisposable {
  readonly #options: FormOptions
  readonly #connections: Connections

  constructor(options: FormOptions) {
    this.#options = options
    const few = { connectionsPerHost: 1, idleMs: 1_000, maxOrigins: 64 }
    this.#connections = new Connections({ ...options, ...few })
  }

  async post(address: string, form: URLSearchParams): Promise<FormAnswer> {
    const url = new URL(address)
    const refusal = urlRefusal(url)
    if (refusal !== undefined) return { fault: refusal }
    const { userAgent, connectMs, totalMs } = this.#options
    const limits = {
      ...{ connectMs, firstByteMs: totalMs, totalMs, maxBodyBytes: MOST_ANSWER_BYTES },
      form: form.toString(),
    }
    const type = 'application/x-www-form-urlencoded'
    const headers = { 'user-agent': userAgent, 'content-type': type }
    const answer = await httpGet(this.#connections.to(url), url, headers, limits, () => false)
    return answer.kind === 'answer' ? { status: answer.status } : { fault: answer.reason }
  }

  /** Whether nobody on the way can read what is sent there. */
  isPrivateTo(address: string): boolean {
    return this.#connections.isPrivateTo(new URL(address))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections.close()
  }
}
