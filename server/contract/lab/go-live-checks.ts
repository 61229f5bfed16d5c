/** What the go-live report looks at, in its order. Advice: nothing here is a condition of anything. */
export const goLiveChecks = {
  called: {
    title: 'Makes calls',
    guide: 'start',
    advice: 'Make a first call, then run your own tests against the sandbox for a day.',
  },
  limits: {
    title: 'Waits when asked',
    guide: 'limits',
    advice: 'On 429, stop, wait for the seconds in Retry-After, and continue with fewer requests at once.',
  },
  faults: {
    title: 'Backs off from faults',
    guide: 'errors',
    advice: 'On a 5xx, wait before you retry, longer each time, and give up after a few attempts.',
  },
  paging: {
    title: 'Reads lists to the end',
    guide: 'paging',
    advice: 'Continue while hasMore is true (REST) or a next link is present (FHIR).',
  },
  browser: {
    title: 'Keeps keys out of browsers',
    guide: 'security',
    advice:
      'Anyone who opens the page can read the key. Move the calls to your own server and rotate the key.',
  },
  renewal: {
    title: 'Renews its credentials',
    guide: 'smart',
    advice:
      'Request a new token before the old one expires, or on the first 401. Rotate keys before they expire.',
  },
  credentials: {
    title: 'Stops when its credential is refused',
    guide: 'authentication',
    advice: 'Renew the token or alert someone. Don’t repeat the request unchanged.',
  },
  errors: {
    title: 'Sends valid requests',
    guide: 'errors',
    advice: 'Read the message of the most frequent error. Each code has a page that says what to change.',
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
