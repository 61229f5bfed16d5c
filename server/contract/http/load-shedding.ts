/**
 * Which requests a process refuses while it is overloaded. Its load is the delay of its event loop: how late a timer
 * is. Every route belongs to one class; the class says from which delay its requests get 503.
 */

/** Delay of the event loop, over two seconds, from which the first classes are refused. */
export const delayBoundMs = 500

type WorkClassRow = Readonly<{
  title: string
  /** Refused from this multiple of the bound (delayBoundMs); null: never. */
  boundsOver: number | null
  retryAfterSeconds: number
  /**
   * So many run at once in a process, and each begins only after the other requests that are ready; null: as they come.
   * Pages, which may call the APIs, are not counted.
   */
  atOnceMax: number | null
}>

/** In the order in which they are refused. */
export const workClasses = {
  anonymous: {
    title:
      'Without a session or credential: public pages, documentation, the explorer, `/authorize`, discovery, `/metadata`',
    boundsOver: 1,
    retryAfterSeconds: 5,
    atOnceMax: 2,
  },
  heavy: {
    title: 'CCDs, `$everything`, searches with `_include` or `_revinclude`, bulk export kick-offs and files',
    boundsOver: 1,
    retryAfterSeconds: 5,
    atOnceMax: 4,
  },
  portal: {
    title: 'Portal pages and forms with a session, the status page and the Status API',
    boundsOver: 2,
    retryAfterSeconds: 5,
    atOnceMax: null,
  },
  authorized: {
    title: 'Other requests with a credential, and the token endpoints',
    boundsOver: 4,
    retryAfterSeconds: 2,
    atOnceMax: null,
  },
  service: {
    title: '`/healthz`, `/readyz`, `/metrics` and our own status checks',
    boundsOver: null,
    retryAfterSeconds: 1,
    atOnceMax: null,
  },
} as const satisfies Record<string, WorkClassRow>

export type WorkClass = keyof typeof workClasses

/** A delay counts once it has lasted `secondsOver`, and ends once it has been below half for `secondsBelow`. */
export const loadWindow = { secondsOver: 2, secondsBelow: 2, sampleMs: 500 } as const

/** Requests of a class that wait for their turn; more are refused. */
export const waitingMax = 256

/** How long after a refusal `/readyz` reports it, so that the status checks find the APIs degraded: one round of them. */
export const sheddingReportedSeconds = 30

/** Sent by our own status checks; its value is a keyed hash of the minute. */
export const probeHeader = 'x-sandpiper-probe'
