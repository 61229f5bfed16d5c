/** What the go-live report looks at, in its order. Advice: nothing here is a condition of anything. */
export const goLiveChecks = {
  called: {
    title: 'It calls',
    guide: 'start',
    advice: 'Make a first call, then run your own tests against the sandbox for a day.',
  },
  limits: {
    title: 'It waits when it is told to',
    guide: 'limits',
    advice: 'On 429 stop, wait as many seconds as Retry-After says, and go on with fewer requests at once.',
  },
  faults: {
    title: 'It backs off from faults',
    guide: 'errors',
    advice: 'On a 5xx wait before you try again, longer each time, and give up after a few tries.',
  },
  paging: {
    title: 'It reads lists to their end',
    guide: 'paging',
    advice: 'Go on while hasMore is true (REST) or a next link is there (FHIR).',
  },
  browser: {
    title: 'No key is in a browser',
    guide: 'security',
    advice:
      'Whoever opens the page can read the key. Move the calls to a server of yours and rotate the key.',
  },
  renewal: {
    title: 'Its credentials are renewed',
    guide: 'smart',
    advice: 'Ask for a new token before the old one ends, or on the first 401; rotate keys before they end.',
  },
  credentials: {
    title: 'It stops when its credential is refused',
    guide: 'authentication',
    advice: 'A 401 stays a 401: renew the token or tell somebody, and do not repeat the request as it is.',
  },
  errors: {
    title: 'Its requests are understood',
    guide: 'errors',
    advice:
      'Read the message of the error that is most frequent. Each code has a page that says what to change.',
  },
} as const

export type GoLiveCheckId = keyof typeof goLiveChecks

export const goLiveBounds = {
  days: 30,
  /** The newest calls that are looked at. */
  rowsMax: 20_000,
  /** Calls that were on their way when the first was refused are not held against a caller. */
  underWayMs: 250,
  /** Refusals of the same credential in a row. */
  unauthorizedInARow: 10,
  /** Share of the calls that may be refused for what they say. */
  misunderstoodShare: 0.05,
  /** Days before the end of a key. */
  keyEndsDays: 14,
} as const
