/**
 * Every published limit, and those the specification leaves to us (marked "ours"). The
 * documentation pages are tested against this table.
 */

/** So many requests in so many seconds; a window begins at a whole multiple of its length. */
export type Window = Readonly<{ seconds: number; requests: number }>

export type WindowRow = Readonly<{
  api: 'fhir' | 'rest' | 'smart' | 'status' | 'portal'
  /** What is counted: one principal, one practice, one caller's address. */
  scope: 'principal' | 'key' | 'practice' | 'ip' | 'failed_authentication'
  title: string
  windows: readonly [burst: Window, sustained: Window]
  /** Chosen by us: the specification shows no value. */
  ours?: true
}>

const windows = (perSecond: number, perMinute: number) =>
  [
    { seconds: 1, requests: perSecond },
    { seconds: 60, requests: perMinute },
  ] as const

const portalWindow = (title: string, perSecond: number, perMinute: number) =>
  ({
    api: 'portal',
    scope: 'ip',
    title: `${title}, per IP address`,
    windows: windows(perSecond, perMinute),
    ours: true,
  }) as const

export const windowTable = {
  fhirPrincipal: {
    api: 'fhir',
    scope: 'principal',
    title: 'FHIR, per principal (token)',
    windows: windows(300, 9_000),
  },
  fhirPractice: {
    api: 'fhir',
    scope: 'practice',
    title: 'FHIR, per practice',
    windows: windows(600, 18_000),
  },
  fhirIp: {
    api: 'fhir',
    scope: 'ip',
    title: 'FHIR, per IP address',
    windows: windows(600, 18_000),
    ours: true,
  },
  restKey: { api: 'rest', scope: 'key', title: 'REST, per key', windows: windows(150, 3_600) },
  restPractice: {
    api: 'rest',
    scope: 'practice',
    title: 'REST, per practice (all keys and staff sessions combined)',
    windows: windows(400, 12_000),
  },
  /**
   * Keys that are unknown, malformed or mistyped, so that one address cannot try keys at will. Keys have 196
   * random bits, so guessing is hopeless: what is bounded is the work and the noise. A whole key that was good
   * once is not a guess and is not counted: a client that goes on with a revoked key gets its 401 every time
   * and is not the reason that its neighbours are refused.
   */
  restFailedAuthentication: {
    api: 'rest',
    scope: 'failed_authentication',
    title: 'REST, failed authentications per IP address',
    windows: windows(100, 1_000),
    ours: true,
  },
  /** Wrong secrets, assertions and unknown apps at the token, introspection and revocation endpoints. */
  smartFailedClient: {
    api: 'smart',
    scope: 'failed_authentication',
    title: 'SMART, failed client authentications per IP address',
    windows: windows(20, 300),
    ours: true,
  },
  /** Visitors of the explorer who have not signed in: enough to try it, too little to build on. */
  explorerVisitor: portalWindow('Explorer, not signed in', 3, 30),
  /** Forms and other requests that change something; no person fills in forms that fast. */
  portalForm: portalWindow('Portal forms', 20, 300),
  /** Every page and file that the portal makes; a person with several tabs stays far below. */
  portalPage: portalWindow('Portal pages', 50, 1_200),
  /** A rendered page costs as much as fifty FHIR reads. Public pages are rendered once for everybody. */
  portalRender: portalWindow('Portal pages that are rendered for the request', 20, 600),
  /** Every request to the MCP server of the documentation, whatever comes of it. */
  docsMcp: portalWindow('MCP server of the documentation', 20, 300),
  /**
   * What costs as much as a dozen reads, or hundreds: each also counts as a request. `heavyCosts` says how many
   * of these a request counts.
   */
  heavy: {
    api: 'fhir',
    scope: 'principal',
    title: 'Heavy requests, per key or token (a CCD counts as 10)',
    windows: windows(100, 3_000),
    ours: true,
  },
  statusIp: { api: 'status', scope: 'ip', title: 'Status, per IP address', windows: windows(5, 20) },
} as const satisfies Record<string, WindowRow>

export type WindowName = keyof typeof windowTable

/** What a request counts in the window `heavy`; rows of operations refer to it. */
export const heavyCosts = {
  /** A search with `_include` or `_revinclude`. */
  included: 1,
  everything: 1,
  ccd: 10,
} as const

/**
 * Of responses with 429, and of refusals of anonymous and heavy requests, per address: so many a second at once, every
 * further one with a delay. A client that repeats them without a pause delays itself instead of others.
 */
export const refusalPace = { atOncePerSecond: 20, delayMs: 100 } as const

export const limits = {
  /** Every request body, at every interface. */
  bodyBytesMax: 1_048_576,
  /** Of bodies that are being received: from one address, and in one process. Slow senders hold no more. */
  bodyBytesHeldPerAddress: 33_554_432,
  bodyBytesHeldPerProcess: 134_217_728,
  /** Ours, of the portal: a body without files, and fields and files of a form. */
  portalBodyBytesMax: 65_536,
  /** Ours, of the form that takes a document to sign: the file, and the fields beside it. */
  documentFormBytesMax: 10_200_000,
  portalFieldsMax: 400,
  /** GET /patients. */
  pageSizeDefault: 25,
  pageSizeMax: 100,
  /** Ours: a deeper page is asked for by a narrower search. */
  offsetMax: 1_000_000,
  /** Live sessions of one account in one realm; a further sign-in ends the one used longest ago. */
  sessionsPerAccountMax: 20,
  /** Of a demonstration account, which many visitors share. */
  sessionsPerDemoAccountMax: 500,
  /** Ours. */
  searchTextMax: 100,
  mrnMax: 64,
  /** Ours, of the bodies of the REST API. */
  nameMax: 100,
  givenNamesMax: 5,
  telecomMax: 10,
  addressesMax: 5,
  reasonMax: 500,
  titleMax: 200,
  documentBytesMax: 20_000_000,
  /** Ours: CCDs that are written at the same time, and seconds until another try. */
  documentsPerCredential: 4,
  documentsPerProcess: 12,
  documentsRetrySeconds: 2,
  /** Ours: objects and arrays within one another in a body. */
  jsonDepthMax: 32,
  /** Ours: values in a JSON body; every object, array and member counts. */
  jsonValuesMax: 5_000,
  /** Ours: length of an Idempotency-Key, and how long its answer is given again. */
  idempotencyKeyMax: 255,
  idempotencyHours: 24,
  /** Ours: matches on a page of a FHIR search; a larger `_count` is served as the most. */
  fhirPageSizeDefault: 50,
  fhirPageSizeMax: 500,
  /** Bulk export: life of the links to files. */
  bulkLinkHours: 24,
  /** Ours: seconds between two looks at a running export. */
  bulkPollSeconds: 1,
  /** Ours: an export that fails is run again so often, and for so long: its storage or database may be away. */
  bulkRunsMin: 3,
  bulkRunMinutes: 5,
  /** Ours: a group this large or smaller names its members. */
  groupMembersMax: 1_000,
  /** Ours, of the MCP server: messages of one request, length of a message's id, records of a page of a chart. */
  mcpBatchMax: 20,
  mcpMessageIdMax: 128,
  mcpPageSizeDefault: 20,
  mcpPageSizeMax: 50,
  /** Ours: tokens of a summary, and characters of a document's text in one answer. */
  mcpSummaryTokensDefault: 2_000,
  mcpSummaryTokensMin: 500,
  mcpSummaryTokensMax: 20_000,
  mcpTextDefault: 10_000,
  mcpTextMax: 50_000,
  /** Ours, of the MCP server of the documentation: results of a search. */
  docsResultsDefault: 8,
  docsResultsMax: 20,
  /** FHIR's own bound on ids. https://hl7.org/fhir/R4/datatypes.html#id */
  resourceIdMax: 64,
  practiceIdMax: 128,
  /** Life of an API key. */
  keyDays: 90,
  /** Life of a claim link, and how often an expired one is sent again. */
  claimLinkHours: 72,
  claimReissues: 3,
  sandboxKeysPerOrganization: 3,
  /** Ours, of the explorer: life of a key that it mints, calls it remembers per person, and for how long. */
  explorerKeyMinutes: 60,
  explorerCallsKept: 10,
  explorerCallDays: 30,
  /** Longest correlation id of a caller that is kept. */
  clientCorrelationIdMax: 64,
} as const
