/** Every variable of the environment, with its default and what it means. The table of docs/operations/settings.md is made of them. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { parseRedisUrl } from './limits/redis-url.ts'
import { parseDatabaseUrl } from './store/database-url.ts'
import { parseObjectAddress } from './store/object-address.ts'

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

/** Where something of others is, to be looked at; `off` says that it is off on purpose. */
const watched = (what: string) =>
  z
    .union([z.literal('off'), z.url({ protocol: /^https$/, error: 'must be an https:// URL, or off' })])
    .optional()
    .describe(
      `Where ${what} can be reached, for the Status API; \`off\`: off on purpose. Unset: it is not checked.`,
    )

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

const businessDays = (days: number) => z.coerce.number().int().min(1).max(60).default(days)

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

export const variables = {
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
  PUBLIC_ORIGIN: origin
    .optional()
    .describe(
      'Origin in every absolute URL. Required unless the embedded database is used; then it is http://localhost:PORT.',
    ),
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
  OUTBOUND_HOSTS: z
    .string()
    .regex(/^[a-z0-9.-]+=\d{1,5}(,[a-z0-9.-]+=\d{1,5})*$/, 'must be name=port[,name=port…]')
    .optional()
    .describe(
      'Host names mapped to a port of this machine, name=port, comma separated, for trying registrations without the Internet. With the embedded database only.',
    ),
  ACADEMY_URL: watched('the academy'),
  CHARTVOYANT_APP_URL: watched('the ChartVoyant app'),
  AI_URL: watched('the AI service'),
  TRUSTED_PROXY_CIDRS: networks
    .optional()
    .describe(
      'Networks of the proxies in front of the server, comma separated, such as 127.0.0.1/32,10.0.0.0/8. X-Forwarded-For is trusted only from these networks. Unset: the header is ignored.',
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
  DATABASE_URL: databaseUrl.describe(
    'PostgreSQL 15 or newer; several hosts, TLS and what else the URL may say: docs/operations/postgresql.md. Unset: `npm start` runs the embedded PostgreSQL.',
  ),
  DATABASE_DIRECT_URL: databaseUrl
    .optional()
    .describe(
      'The same database as DATABASE_URL, without PgBouncer in between: for records, jobs, locks and exports, whose connections last. Required when DATABASE_URL leads to PgBouncer: docs/operations/postgresql.md. Unset: DATABASE_URL.',
    ),
  DATABASE_MIGRATION_URL: databaseUrl
    .optional()
    .describe(
      'Owner of the tables, used only for `npm run db:migrate`, `db:status`, `db:new`, `import`, `export-practice` and `npm start -- --migrate`. A serving process does not need it. Unset: the user of DATABASE_URL migrates, and the server acts as the role sandpiper_app, which that user can leave again.',
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
  REDIS_URL: readable(parseRedisUrl)
    .optional()
    .describe(
      'Valkey or Redis for rate limits shared by several processes: one server, Sentinel (`redis+sentinel://`) or Cluster (`redis+cluster://`), with TLS (`rediss://`): docs/operations/valkey.md. Unset: limits are counted in memory.',
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
  INBOUND_SMTP_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('SMTP port that receives email to KEYS_ADDRESS. Unset: no email is received.'),
  INBOUND_SMTP_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe('Address to listen on for that email. The SMTP server in front forwards what it accepted.'),
  KEYS_ADDRESS: z
    .email()
    .default('keys@sandpiper.example')
    .describe('Address for requesting a sandbox key by email, if INBOUND_SMTP_PORT is set.'),
  ENCRYPTION_KEYS: keyring.describe(
    'Keyring, id:base64 of 32 bytes, comma separated. The first key encrypts, all keys decrypt. The embedded mode creates one.',
  ),
  ROLE: z
    .enum(['all', 'web', 'api', 'portal', 'worker'])
    .default('all')
    .describe(
      'What a process does: `api` answers the APIs, `portal` the pages, `web` both; `worker` runs jobs; `all` does everything. Unset, `npm start` runs api, portal and worker as processes of their own when the machine has more than one core.',
    ),
  DEMO: flag.default(false).describe('1 allows the demonstration sign-ins on your own database.'),
  EVENT_LOOP_DELAY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .max(60_000)
    .default(500)
    .describe(
      'Delay of a process’s event loop, in milliseconds over two seconds, from which it refuses anonymous and heavy requests with 503; from twice it portal pages, from four times it all requests. 0 refuses none.',
    ),
  DRAIN_SECONDS: z.coerce
    .number()
    .min(0)
    .max(600)
    .optional()
    .describe(
      'How long a process still serves after SIGTERM, with /readyz at 503 and each response ending its connection, so that a proxy turns away from it first. Unset: 5, or 0 with the embedded database.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Minimum level of the structured log.'),
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
  AUDIT_HEADS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for the signed heads of the audit chain, shared by web and worker. Unset: audit-heads in DATA_DIR.',
    ),
  AUDIT_HEADS_SECOND_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Second folder for the same heads, where the database’s administrators cannot write. Recommended in production.',
    ),
  EXPORT_FILE_MB: z.coerce
    .number()
    .min(0.01)
    .max(10_000)
    .default(200)
    .describe('Maximum size of a bulk export file, in megabytes of NDJSON.'),
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
  S3_PREFIX: z
    .string()
    .regex(/^([A-Za-z0-9_-]+\/)*$/, 'must be empty or end with a slash, such as sandpiper/')
    .default('')
    .describe('Beginning of each key in the bucket.'),
  S3_REGION: z.string().min(1).default('us-east-1').describe('Region by which requests are signed.'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional().describe('Access key, with S3_ENDPOINT.'),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional().describe('Its secret, with S3_ENDPOINT.'),
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
  LOG_ARCHIVE_URL: z
    .string()
    .refine((value) => parseObjectAddress(value) !== null, 'must be an address such as s3://bucket/prefix')
    .optional()
    .describe(
      'Object storage for old months of the record of access, with S3_ENDPOINT and its keys: docs/operations/object-storage.md. Unset: they stay in the database.',
    ),
  LOG_ARCHIVE_AFTER_MONTHS: z.coerce
    .number()
    .int()
    .min(3)
    .max(60)
    .default(12)
    .describe('Months after its end at which a month goes there, 3 to 60.'),
  EXPORT_GZIP: flag.default(true).describe('0 stores bulk export files uncompressed.'),
  METRICS_TOKEN: z.string().min(16).optional().describe('Bearer token for /metrics. Unset: no /metrics.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional()
    .describe('Base URL of an OpenTelemetry collector (OTLP over HTTP) for traces. Unset: no tracing.'),
  OTEL_SERVICE_NAME: z.string().min(1).default('sandpiper').describe('Name of the service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of traces that is sent, 0 to 1, whatever a caller asks for.'),
  BUSINESS_TZ: z
    .string()
    .min(1)
    .default('America/New_York')
    .describe('Time zone of business days and due dates.'),
  PROMISE_BUSINESS_DAYS: businessDays(5).describe(
    'Business days for deciding and enabling a complete request. Paused while the developer must answer.',
  ),
  AUTHENTICITY_BUSINESS_DAYS: businessDays(10).describe(
    'Business days from receipt for verifying the organization. Never paused.',
  ),
  ENABLEMENT_BUSINESS_DAYS: businessDays(5).describe(
    'Business days from that decision for enabling the app. Never paused.',
  ),
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
} as const
