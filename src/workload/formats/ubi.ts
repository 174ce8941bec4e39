/**
 * What a search page logs: UBI 1.3.0 records (User Behavior Insights), field names as on the wire.
 * One JSON object a line; a record with `action_name` is an event, one with `user_query` a query.
 */
export type SearchEvent = UbiQuery | UbiEvent

/** Somebody asked something. */
export interface UbiQuery {
  readonly application?: string
  readonly query_id: string
  /** Random, and nothing that tells who it is. */
  readonly client_id?: string
  readonly user_query: string
  /** ISO 8601, as in 2026-01-31T12:00:00.000Z. */
  readonly timestamp: string
  readonly query_attributes?: Readonly<Record<string, unknown>>
  /** What the ids of the results are; ours are always `url`. */
  readonly object_id_field?: string
  readonly query_response_id?: string
  /** The results shown, best first. */
  readonly query_response_hit_ids?: readonly string[]
}

/** Somebody did something with the results of a query, such as choosing one. */
export interface UbiEvent {
  readonly application?: string
  /** `click` or `click_through` chooses a result; `view` and `impression` only show it. */
  readonly action_name: string
  readonly query_id: string
  readonly client_id?: string
  readonly session_id?: string
  readonly user_id?: string
  readonly timestamp: string
  readonly message_type?: string
  readonly message?: string
  readonly event_attributes?: {
    readonly object?: {
      readonly object_id?: string
      readonly object_id_field?: string
      readonly object_id_type?: string
      readonly internal_id?: string
    }
    /** 1 is the top. */
    readonly position?: { readonly ordinal?: number }
  }
}

/** The folder of a crawl directory where the search page writes its log. */
export const SEARCH_EVENT_FOLDER = 'queries'
