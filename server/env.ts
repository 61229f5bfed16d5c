/**
 * The environment, read once at boot and handed down. Its variables are the table of env-variables.ts.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { origin, variables } from './env-variables.ts'
import { EnvironmentError } from './environment-error.ts'
import { parseObjectAddress } from './store/s3-client.ts'

export { EnvironmentError }

const schema = z.object(variables)
const databaseSchema = schema.pick({
  DATABASE_URL: true,
  DATABASE_DIRECT_URL: true,
  DATABASE_MIGRATION_URL: true,
})

export type Env = Readonly<
  Omit<
    z.output<typeof schema>,
    | 'PUBLIC_ORIGIN'
    | 'FHIR_ORIGIN'
    | 'REST_ORIGIN'
    | 'STATUS_ORIGIN'
    | 'EXPORT_DIR'
    | 'AUDIT_HEADS_DIR'
    | 'DRAIN_SECONDS'
    | 'MAIL_FROM'
  > & {
    PUBLIC_ORIGIN: string
    MAIL_FROM: string
    FHIR_ORIGIN: string
    REST_ORIGIN: string
    STATUS_ORIGIN: string
    EXPORT_DIR: string
    AUDIT_HEADS_DIR: string
    /** To which people write for a sandbox key. */
    keysAddress: string
    DRAIN_SECONDS: number
    /** The embedded database or DEMO=1: demonstration sign-ins exist. */
    demoSignIns: boolean
    /** Pages for development (/dev/*) exist only with the embedded database, on an origin of this machine, without a proxy; who may open them: http/development-pages.ts. */
    developmentPages: boolean
  }
>

/** Settings of earlier releases, each with what holds now. They are ignored. */
const former: Readonly<Record<string, string>> = {
  OUTBOUND_HOSTS: 'It was for tests only',
  ACADEMY_URL: 'Name it in WATCHED_URLS',
  CHARTVOYANT_APP_URL: 'Name it in WATCHED_URLS',
  AI_URL: 'Name it in WATCHED_URLS',
  INBOUND_SMTP_HOST: 'Name the address in INBOUND_SMTP_PORT: 0.0.0.0:2525',
  KEYS_ADDRESS: 'Email is received for keys@ and the domain of MAIL_FROM',
  EVENT_LOOP_DELAY_MS: 'It is always 500',
  EXPORT_FILE_MB: 'A file holds 200 MB',
  EXPORT_GZIP: 'Files are always compressed',
  LOG_ARCHIVE_AFTER_MONTHS: 'Months stay in the database',
  LOG_ARCHIVE_URL: 'Months stay in the database',
  PROMISE_BUSINESS_DAYS: 'It is always 5',
  AUTHENTICITY_BUSINESS_DAYS: 'It is always 10',
  ENABLEMENT_BUSINESS_DAYS: 'It is always 5',
}

/** Those of them that are still set, and what to do about each. */
export const findFormerSettings = (source: Record<string, string | undefined> = process.env) =>
  Object.entries(former).filter(([name]) => source[name])

/** Empty strings count as unset, as shells and compose files produce them. */
function withoutEmpty(source: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source).filter((entry): entry is [string, string] => Boolean(entry[1])),
  )
}

/**
 * Parses the environment.
 * @throws EnvironmentError naming every missing or malformed variable.
 */
export function parseEnv(source: Record<string, string | undefined> = process.env): Env {
  const variables = withoutEmpty(source)
  const parsed = schema.safeParse(variables)
  const problems = [
    ...(parsed.error?.issues ?? []).map((issue) => toProblem(issue, variables)),
    ...findGaps(variables),
  ]
  if (!parsed.success || problems.length > 0) throw new EnvironmentError(problems)
  const values = parsed.data
  const publicOrigin = values.PUBLIC_ORIGIN ?? `http://localhost:${values.PORT}`
  // No one outside gets such an email: with a public origin there is no default.
  const mailFrom = values.MAIL_FROM ?? 'Sandpiper <no-reply@sandpiper.example>'
  return Object.freeze({
    ...values,
    PUBLIC_ORIGIN: publicOrigin,
    MAIL_FROM: mailFrom,
    keysAddress: `keys@${/@([^@>\s]+)>?\s*$/.exec(mailFrom)?.[1] ?? 'sandpiper.example'}`,
    FHIR_ORIGIN: values.FHIR_ORIGIN ?? publicOrigin,
    REST_ORIGIN: values.REST_ORIGIN ?? publicOrigin,
    STATUS_ORIGIN: values.STATUS_ORIGIN ?? publicOrigin,
    EXPORT_DIR: values.EXPORT_DIR ?? join(values.DATA_DIR, 'exports'),
    AUDIT_HEADS_DIR: values.AUDIT_HEADS_DIR ?? join(values.DATA_DIR, 'audit-heads'),
    DRAIN_SECONDS: values.DRAIN_SECONDS ?? (values.SANDPIPER_EMBEDDED ? 0 : 5),
    demoSignIns: values.SANDPIPER_EMBEDDED || values.DEMO,
    developmentPages:
      values.SANDPIPER_EMBEDDED && isLoopback(publicOrigin) && values.TRUSTED_PROXY_CIDRS === undefined,
  })
}

/**
 * The variables that lead to the database: a migration needs no others.
 * @throws EnvironmentError
 */
export function parseDatabaseEnv(): Pick<
  Env,
  'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_MIGRATION_URL'
> {
  const variables = withoutEmpty(process.env)
  const parsed = databaseSchema.safeParse(variables)
  if (parsed.success) return parsed.data
  throw new EnvironmentError(parsed.error.issues.map((issue) => toProblem(issue, variables)))
}

function toProblem(issue: z.core.$ZodIssue, variables: Record<string, string>): string {
  const name = String(issue.path[0])
  return variables[name] ? `${name} ${issue.message}` : `${name} is missing`
}

/** What depends on more than one variable; a malformed one is named elsewhere. */
function findGaps(variables: Record<string, string>): string[] {
  const { PUBLIC_ORIGIN, SMTP_URL, MAIL_FROM, SANDPIPER_EMBEDDED, SANDPIPER_OUTBOUND_HOSTS, DEMO } = variables
  const embedded = SANDPIPER_EMBEDDED === '1'
  const publicOrigin = origin.safeParse(PUBLIC_ORIGIN).data
  const isPublic = publicOrigin !== undefined && !isLoopback(publicOrigin)
  const gaps: string[] = []
  if (!PUBLIC_ORIGIN && !embedded) gaps.push('PUBLIC_ORIGIN is missing')
  if (isPublic && publicOrigin.startsWith('http://'))
    gaps.push('PUBLIC_ORIGIN must be https, except on localhost')
  if (isPublic && !MAIL_FROM) gaps.push('MAIL_FROM is missing')
  // Without a mail server a development page shows the mail, and only to this machine.
  if (!SMTP_URL && !embedded) gaps.push('SMTP_URL is missing')
  else if (!SMTP_URL && isPublic)
    gaps.push(
      'SMTP_URL is missing: with a public PUBLIC_ORIGIN there is no /dev/mail, so no one could read emails. ' +
        'Set SMTP_URL, or leave PUBLIC_ORIGIN unset to try Sandpiper on this machine',
    )
  const bucket = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const
  if (bucket.some((name) => variables[name]))
    for (const name of bucket.filter((each) => !variables[each]))
      gaps.push(`${name} is missing: object storage needs all of ${bucket.join(', ')}`)
  gaps.push(...findObjectGaps(variables))
  if (SANDPIPER_OUTBOUND_HOSTS && (!embedded || isPublic))
    gaps.push('SANDPIPER_OUTBOUND_HOSTS is for the embedded database on an origin of this machine; unset it')
  // Demonstration sign-ins need no second factor, not even those of staff.
  if (DEMO === '1' && isPublic)
    gaps.push('DEMO is for an origin of this machine; unset it, or leave PUBLIC_ORIGIN on localhost')
  if (Number(variables.TRUSTED_PROXY_HOPS) > 0 && !variables.TRUSTED_PROXY_CIDRS)
    gaps.push(
      'TRUSTED_PROXY_CIDRS is missing: TRUSTED_PROXY_HOPS alone would believe X-Forwarded-For from every caller. ' +
        'List the networks of your proxies, such as TRUSTED_PROXY_CIDRS=127.0.0.1/32',
    )
  return gaps
}

/** Documents stay until the server removes them; exports expire after some days. */
function findObjectGaps(variables: Record<string, string>): string[] {
  const { DOCUMENT_STORAGE, DOCUMENT_URL, S3_BUCKET, S3_ENDPOINT, S3_PREFIX = '' } = variables
  if (DOCUMENT_STORAGE === 's3' && !DOCUMENT_URL)
    return [
      'DOCUMENT_URL is missing: DOCUMENT_STORAGE=s3 needs an address such as s3://clinic-documents/sandpiper. Set it, ' +
        'or DOCUMENT_STORAGE=database',
    ]
  const documents = parseObjectAddress(DOCUMENT_URL ?? '')
  if (documents === null) return []
  if (!S3_ENDPOINT)
    return [
      'S3_ENDPOINT is missing: DOCUMENT_URL is at this endpoint. Set the variables S3_*, or unset DOCUMENT_URL',
    ]
  const { bucket, prefix } = documents
  return bucket === S3_BUCKET && (prefix.startsWith(S3_PREFIX) || S3_PREFIX.startsWith(prefix))
    ? [
        'DOCUMENT_URL overlaps with S3_PREFIX, whose objects are removed by other rules: some of its own would be lost ' +
          'with them. Choose another bucket, or a prefix beside it',
      ]
    : []
}

function isLoopback(value: string): boolean {
  const host = new URL(value).hostname
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
