/** Every variable of the environment, with its default and what it means. docs/operations/settings.md is made of them. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { isTimeZone } from './contract/forms/time-zone.ts'
import { parseRedisUrl } from './limits/redis-client.ts'
import { parseDatabaseUrl } from './store/database-url.ts'
import { parseObjectAddress } from './store/s3-client.ts'

export const origin = z
  .url({ protocol: /^https?$/, error: 'must be an origin such as https://portal.example' })
  .transform((value, context) => {
    const url = new URL(value)
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
      context.addIssue({ code: 'custom', message: 'must be an origin only: no path, query or credentials' })
      return z.NEVER
    }
    return url.origin
  })

const watchedUrl = z.union([z.literal('off'), z.url({ protocol: /^https$/ })])

/** Where the components that others run can be reached; `off` says that one is off on purpose. */
const watched = z.string().transform((value, context) => {
  const named = value.split(',').map((each) => /^\s*(academy|chartvoyant_app|ai)=(\S+)\s*$/.exec(each))
  if (named.every((each) => each !== null && watchedUrl.safeParse(each[2]).success))
    return Object.fromEntries(named.map((each) => [each?.[1], each?.[2]])) as WatchedUrls
  context.addIssue({
    code: 'custom',
    message: 'must be academy=, chartvoyant_app= or ai= with an https:// URL or off, comma separated',
  })
  return z.NEVER
})
type WatchedUrls = { academy?: string; chartvoyant_app?: string; ai?: string }

/** A text that `parse` accepts; what it throws says what is wrong. */
const readable = (parse: (value: string) => unknown) =>
  z.string().superRefine((value, context) => {
    try {
      parse(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
    }
  })

const databaseUrl = readable(parseDatabaseUrl)

const flag = z.enum(['0', '1']).transform((value) => value === '1')

/** A port, or the address of one: 2525, 0.0.0.0:2525, [::]:2525. */
function isListenAddress(text: string): boolean {
  const port = Number(/^(?:(?:[\w.-]+|\[[0-9a-fA-F:]+\]):)?(\d{1,5})$/.exec(text)?.[1])
  return port >= 1 && port <= 65_535
}

/** Networks as CIDR; a single address is one of its own. */
const networks = z.string().transform((value, context) => {
  const listed = value.split(',').map((each) => toNetwork(each.trim()))
  const found = listed.filter((each) => each !== null)
  if (found.length === listed.length) return found
  context.addIssue({
    code: 'custom',
    message: 'must be networks such as 127.0.0.1/32,2001:db8::/48, and not all of the Internet',
  })
  return z.NEVER
})

/** @returns null for what is no network, or is every address: then any caller could name its own address */
function toNetwork(text: string): string | null {
  const [address = '', bits = address.includes(':') ? '128' : '32', ...more] = text.split('/')
  const version = isIP(address)
  const isLength = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)
  return version !== 0 && isLength && more.length === 0 ? `${address}/${bits}` : null
}

/** `id:base64` pairs of 32-byte keys, comma separated; the first one seals. */
const keyring = z
  .string()
  .regex(
    /^[A-Za-z0-9_-]+:[A-Za-z0-9+/=]+(,[A-Za-z0-9_-]+:[A-Za-z0-9+/=]+)*$/,
    'must be id:base64[,id:base64…]',
  )

const required = {
  DATABASE_URL: databaseUrl.describe(
    'PostgreSQL 15 or newer; several hosts, TLS and what else the URL may say: docs/operations/postgresql.md. Unset: `npm start` runs the embedded PostgreSQL.',
  ),
  PUBLIC_ORIGIN: origin
    .optional()
    .describe(
      'Origin in every absolute URL. Required unless the embedded database is used; then it is http://localhost:PORT.',
    ),
  ENCRYPTION_KEYS: keyring.describe(
    'Keyring, id:base64 of 32 bytes, comma separated. The first key encrypts, all keys decrypt. The embedded mode creates one.',
  ),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must be an smtp:// URL')
    .optional()
    .describe(
      'SMTP server. Required, except with the embedded database on an origin of this machine: then npm start prints a link to a mailbox page.',
    ),
  MAIL_FROM: z
    .string()
    .min(3)
    .optional()
    .describe(
      'Sender of every email: `Sandpiper <no-reply@your-domain>`. Required, except on an origin of this machine.',
    ),
} as const

const usual = {
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000).describe('Port to listen on.'),
  HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on. Use 0.0.0.0 behind a proxy on another machine.'),
  HEALTH_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .default(3090)
    .describe('The only port of a process with ROLE=worker; it serves /healthz, /readyz and /metrics.'),
  ROLE: z
    .enum(['all', 'web', 'api', 'portal', 'worker'])
    .default('all')
    .describe(
      'What a process does: `api` answers the APIs, `portal` the pages, `web` both; `worker` runs jobs; `all` does everything. Unset, `npm start` runs api, portal and worker as processes of their own when the machine has more than one core.',
    ),
  TRUSTED_PROXY_CIDRS: networks
    .optional()
    .describe(
      'Networks of the proxies in front of the server, comma separated, such as 127.0.0.1/32,10.0.0.0/8. X-Forwarded-For is trusted only from these networks. Unset: the header is ignored.',
    ),
  DATABASE_MIGRATION_URL: databaseUrl
    .optional()
    .describe(
      'Owner of the tables, used only for `npm run db:migrate`, `db:status`, `db:new`, `import`, `export-practice` and `npm start -- --migrate`. A serving process does not need it. Unset: the user of DATABASE_URL migrates, and the server acts as the role sandpiper_app, which that user can leave again.',
    ),
  REDIS_URL: readable(parseRedisUrl)
    .optional()
    .describe(
      'Valkey or Redis for rate limits shared by several processes: one server, Sentinel (`redis+sentinel://`) or Cluster (`redis+cluster://`), with TLS (`rediss://`): docs/operations/valkey.md. Unset: limits are counted in memory.',
    ),
  DATA_DIR: z
    .string()
    .min(1)
    .default('.data')
    .describe('Folder for the embedded database, its secrets and demonstration sign-ins.'),
  EXPORT_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder for bulk export files, shared by web and worker. Unset: exports in DATA_DIR.'),
  AUDIT_HEADS_SECOND_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Second folder for the same heads, where the database’s administrators cannot write. Recommended in production.',
    ),
  S3_ENDPOINT: origin
    .optional()
    .describe(
      'Object storage for bulk export files, such as https://s3.us-east-1.amazonaws.com: docs/operations/object-storage.md. Unset: EXPORT_DIR.',
    ),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .optional()
    .describe('Bucket for them, with S3_ENDPOINT.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region by which requests are signed.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Access key, with S3_ENDPOINT.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Its secret, with S3_ENDPOINT.'),
  METRICS_TOKEN: z.string().min(16).optional().describe('Bearer token for /metrics. Unset: no /metrics.'),
  BUSINESS_TZ: z
    .string()
    .refine(isTimeZone, 'must be a name of the IANA database, such as America/New_York')
    .default('America/New_York')
    .describe('Time zone of business days and due dates.'),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Minimum level of the structured log.'),
  DEMO: flag.default(false).describe('1 allows the demonstration sign-ins on your own database.'),
} as const

const rare = {
  FHIR_ORIGIN: origin.optional().describe('Origin of the FHIR base URLs, if it differs from PUBLIC_ORIGIN.'),
  REST_ORIGIN: origin.optional().describe('Origin of the REST base URLs, if it differs from PUBLIC_ORIGIN.'),
  STATUS_ORIGIN: origin
    .optional()
    .describe('Origin of the public status page, the only one that may read the Status API from a browser.'),
  PROBE_ORIGIN: origin
    .optional()
    .describe(
      'Where the worker reaches the server for status checks, if the public origins do not lead there.',
    ),
  WATCHED_URLS: watched
    .default({})
    .describe(
      'Where the Status API checks what others run: `academy=https://academy.example,chartvoyant_app=off,ai=https://ai.example`. `off`: off on purpose. Left out: it is not checked.',
    ),
  TRUSTED_PROXY_HOPS: z.coerce
    .number()
    .int()
    .min(0)
    .max(8)
    .optional()
    .describe(
      'Maximum number of trusted X-Forwarded-For entries, with TRUSTED_PROXY_CIDRS. Unset: every entry from a listed proxy.',
    ),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      'The same database as DATABASE_URL, without PgBouncer in between: for records, jobs, locks and exports, whose connections last. Required when DATABASE_URL leads to PgBouncer: docs/operations/postgresql.md. Unset: DATABASE_URL.',
    ),
  DATABASE_POOL: z.coerce
    .number()
    .int()
    .min(2)
    .max(200)
    .default(16)
    .describe(
      'Database connections per process for requests; what else a process opens: docs/operations/postgresql.md.',
    ),
  INBOUND_SMTP_PORT: z
    .string()
    .refine(isListenAddress, 'must be a port, or address:port')
    .optional()
    .describe(
      'Port on which the SMTP server in front passes on email to keys@ and the domain of MAIL_FROM, by which people request sandbox keys: 2525 on 127.0.0.1, 0.0.0.0:2525 on every address. Unset: no email is received.',
    ),
  AUDIT_HEADS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for the signed heads of the audit chain, shared by web and worker. Unset: audit-heads in DATA_DIR.',
    ),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .optional()
    .describe(
      'How long a process still serves after SIGTERM, with /readyz at 503 and each response ending its connection, so that a proxy turns away from it first. Unset: 5, or 0 with the embedded database.',
    ),
  S3_PREFIX: z
    .string()
    .regex(/^([A-Za-z0-9_-]+\/)*$/, 'must be empty or end with a slash, such as sandpiper/')
    .default('')
    .describe('Beginning of each key in the bucket.'),
  S3_ENCRYPTION: z
    .enum(['AES256', 'aws:kms', 'none'])
    .default('AES256')
    .describe('Encryption by the object storage; `none` only if the bucket encrypts on its own.'),
  DOCUMENT_STORAGE: z
    .enum(['database', 's3'])
    .default('database')
    .describe(
      'Where the bytes of new documents go: `database`, or `s3` for DOCUMENT_URL. Both places are read; sandpiper move-documents moves existing ones.',
    ),
  DOCUMENT_URL: z
    .string()
    .refine((value) => parseObjectAddress(value) !== null, 'must be an address such as s3://bucket/prefix')
    .optional()
    .describe(
      'Object storage for the bytes of documents, at S3_ENDPOINT, such as s3://clinic-documents/sandpiper: a place of its own that no rule expires. Keep it set while a document is there: docs/operations/object-storage.md.',
    ),
} as const

/** OpenTelemetry's own variables that its packages do not read themselves: docs/operations/traces.md. */
const openTelemetry = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional()
    .describe('Base URL of an OpenTelemetry collector (OTLP over HTTP) for traces. Unset: no tracing.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of traces that is sent, 0 to 1, whatever a caller asks for.'),
} as const

/** What the scripts say to the processes that they start. */
const internal = {
  NODE_ENV: z
    .enum(['production', 'development', 'test'])
    .default('production')
    .describe('Set by the scripts.'),
  SANDPIPER_EMBEDDED: flag.default(false).describe('Set by the scripts when they run the embedded database.'),
  SANDPIPER_DEV_KEY: z
    .string()
    .regex(/^[\w-]{22,}$/, 'must be at least 22 letters and digits')
    .optional()
    .describe('Set by npm start and npm run dev: key of the address of /dev/mail that they print.'),
  SANDPIPER_SOCKETS: z
    .string()
    .min(1)
    .optional()
    .describe('Set by npm start when it runs several processes: folder of the sockets between them.'),
  SANDPIPER_OUTBOUND_HOSTS: z
    .string()
    .regex(/^[a-z0-9.-]+=\d{1,5}(,[a-z0-9.-]+=\d{1,5})*$/, 'must be name=port[,name=port…]')
    .optional()
    .describe('Set by journeys: host names of made-up developers, each with a port of this machine.'),
} as const

/** What people set, by how many do. */
export const settings = { required, usual, rare }
export const variables = { ...required, ...usual, ...rare, ...openTelemetry, ...internal }
