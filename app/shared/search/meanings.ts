/** Readers' words for things, and the documentation's words for the same things. */

interface MeaningRow {
  /** Synonyms: a search for one finds the others. Fillers such as “to” and “the” are left out. */
  readonly says: readonly string[]
  /** Words that a search for a synonym also finds, but not the other way round. */
  readonly means: readonly string[]
}

const row = (says: readonly string[], means: readonly string[] = []): MeaningRow => ({ says, means })

// biome-ignore format: a table reads as a table
export const meanings: readonly MeaningRow[] = [
  // HTTP and limits.
  row(['paging', 'pagination', 'paginate', 'page size', 'next page', 'offset', 'limit offset']),
  row(['timeout', 'time out', 'timed out', 'deadline', 'how long']),
  row(['429', 'rate limit', 'rate limited', 'rate limiting', 'too many requests', 'throttle', 'throttling', 'quota'], ['retry-after']),
  row(['retry', 'retry after', 'backoff'], ['retry-after']),
  row(['403', 'forbidden', 'access denied', 'permission denied']),
  row(['401', 'unauthorized', 'unauthenticated']),
  row(['404', 'not found', 'missing']),
  row(['409', 'conflict']),
  row(['400', 'bad request', 'validation']),
  row(['413', 'payload too large', 'body size', 'maximum size', 'maximum body size', 'file size', 'how large']),
  row(['500', 'internal error', 'server error']),
  row(['503', 'unavailable', 'maintenance']),
  row(['cors', 'cross origin', 'browser']),
  row(['webhook', 'callback', 'push', 'event'], ['record changes']),
  row(['status code', 'error code'], ['errors']),
  row(['idempotent', 'idempotency', 'send twice', 'duplicate request'], ['idempotency-key']),
  row(['correlation id', 'request id', 'trace id']),
  // Signing in and tokens.
  row(['authenticate', 'authentication', 'authenticating', 'bearer', 'authorization header'], ['api keys']),
  row(['api key header', 'send key'], ['authorization bearer', 'authentication']),
  row(['token expired', 'expired token', 'token expire', 'renew token'], ['refresh token', 'lifetimes']),
  row(['refresh token', 'refresh tokens', 'refreshing'], ['offline_access']),
  row(['redirect uri', 'redirect url', 'callback url', 'redirect_uri'], ['registering']),
  row(['mismatch', 'does not match', 'not match', 'invalid redirect'], ['registered']),
  row(['pkce', 'code challenge', 'code verifier', 'code_challenge', 'code_verifier']),
  row(['jwt', 'assertion', 'client assertion', 'private_key_jwt', 'private key'], ['key pair']),
  row(['login', 'log in', 'sign in', 'credentials', 'password', 'username'], ['signing in']),
  row(['logout', 'log out', 'sign out', 'end session'], ['revoke']),
  row(['oauth', 'oauth2', 'openid', 'oidc'], ['smart']),
  row(['mfa', '2fa', 'two factor', 'authenticator', 'second step']),
  row(['permission', 'scope']),
  row(['introspect', 'introspection', 'token info'], ['smart']),
  // Keys.
  row(['leak', 'leaked', 'compromised', 'exposed', 'stolen', 'published'], ['report a leaked key', 'keeping a key']),
  row(['rotate', 'rotation', 'roll', 'replace key', 'without downtime', 'zero downtime'], ['keeping a key']),
  row(['sponsor', 'sponsorship', 'vouch', 'confirm']),
  row(['baa', 'business associate agreement', 'hipaa agreement']),
  row(['agreement', 'contract', 'sign documents']),
  row(['production', 'go live', 'going live', 'live key', 'live access']),
  // Records.
  row(['write', 'create', 'post', 'save', 'update'], ['writing']),
  row(['ccd', 'ccda', 'c-cda', 'continuity of care document', 'summary document']),
  row(['lab', 'laboratory', 'lab results', 'test results'], ['observation']),
  row(['medication', 'prescription', 'medicine', 'medication request', 'drug'], ['medicationrequest']),
  row(['allergy', 'allergies'], ['allergyintolerance']),
  row(['visit', 'appointment', 'encounter']),
  row(['mrn', 'medical record number', 'record number']),
  row(['vaccine', 'vaccination', 'immunization']),
  row(['vitals', 'vital signs', 'blood pressure'], ['observation']),
  row(['test patients', 'test patient', 'sample patients', 'demo patients', 'sandbox patients', 'test people', 'test users'], ['sandbox people']),
  row(['empty chart', 'empty record', 'no data']),
  row(['who has looked', 'looked', 'audit', 'audit log', 'access log', 'who accessed', 'who read', 'who can see'], ['recorded', 'record of access']),
  row(['consent', 'stops sharing', 'stop sharing', 'withdraw consent', 'opt out'], ['patient decides', 'end access']),
  row(['purpose', 'x-purpose', 'purpose of use'], ['why you look']),
  // Exports.
  row(['bulk', 'export', 'bulk export', 'bulk data', '$export']),
  row(['since', 'incremental', 'only changed', 'changed', 'delta', 'modified'], ['_since', 'only what changed']),
  row(['cancel', 'abort', 'give up', 'stop'], ['give it up']),
  row(['attachment', 'binary', 'pdf', 'document content'], ['binary']),
  // The service.
  row(['down', 'outage', 'broken', 'uptime', 'available'], ['status', 'components']),
  row(['badge', 'uptime badge', 'status badge', 'feed', 'rss'], ['mails and feeds']),
  row(['notified', 'notify', 'notification', 'alert', 'subscribe', 'get notified'], ['mails and feeds', 'subscribe']),
  row(['cost', 'price', 'pricing', 'fee', 'billing', 'pay', 'free']),
  row(['sdk', 'client library', 'library', 'npm']),
  row(['typescript', 'javascript', 'node', 'nodejs'], ['typescript client']),
  row(['openapi', 'swagger', 'postman', 'api specification']),
  row(['llm', 'ai', 'assistant', 'claude', 'claude desktop', 'claude code', 'chatgpt', 'copilot', 'cursor', 'gemini'], ['mcp']),
  row(['fault', 'error injection', 'inject', 'chaos'], ['fault lab']),
  row(['simulate', 'simulator', 'simulation', 'fake'], ['fault lab', 'launch simulator']),
  row(['slow', 'latency', 'delay'], ['fault lab']),
  row(['test kit', 'inferno', 'conformance', 'touchstone'], ['test with inferno']),
  row(['setup', 'set up', 'install', 'configure'], ['connect', 'settings']),
  row(['version', 'versions', 'release', 'supported version']),
  row(['fhir version', 'fhir release'], ['fhir r4', 'fhir api']),
  row(['webauthn', 'sso', 'saml'], ['second step']),
]
