/** Why a request is not answered; OpenAPI describes the statuses in the same words. */
export const REFUSALS = {
  400: 'A parameter is missing or wrong',
  401: 'This needs a token',
  403: 'This link is not ours',
  404: 'There is no such page',
  405: 'This cannot be done here',
  409: 'This cannot be done now',
  413: 'A body is not read here',
  414: 'The address is too long',
  421: 'This server goes by another name',
  429: 'That was too fast',
  500: 'Something broke',
  503: 'The index is damaged',
} as const

/** Given in place of an answer; who asked gets it as a page or as JSON. */
export class Refusal {
  readonly status: keyof typeof REFUSALS
  readonly advice: string
  readonly headers?: Readonly<Record<string, string>>

  constructor(status: Refusal['status'], advice: string, headers?: Refusal['headers']) {
    this.status = status
    this.advice = advice
    this.headers = headers
  }
}
