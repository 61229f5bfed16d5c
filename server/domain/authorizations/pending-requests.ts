/**
 * Authorize requests between their checks and a person's decision. They are sealed in the consent page's URL instead of
 * stored in a database, so that an unauthenticated request uses no storage.
 */
import { randomUUID } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { Client, LaunchContext, Organization, Prisma } from '../../../prisma/generated/client/client.ts'
import { hashToken } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import { smartLifetimes } from '../../contract/smart/lifetimes.ts'
import { refuse } from '../../contract/smart/oauth-errors.ts'
import { formatScopes, readScopes, type Scope } from '../../contract/smart/scopes.ts'
import { isToken } from '../../contract/smart/token-formats.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import type { Core } from '../core.ts'
import { grants } from '../grants/issue-tokens.ts'
import { type SmartPractice, smartPracticeFields } from '../practices/fhir-access.ts'
import { publicPracticeName } from '../practices/organization-sandbox.ts'
import type { AuthorizationHandle } from './authorization-types.ts'
import { bindingCookie, bindingOf, isBound } from './browser-binding.ts'

/** An authorize request that has passed every check. */
export type VerifiedRequest = Readonly<{
  practice: SmartPractice
  client: Client
  redirectUri: string
  state: string
  nonce: string | null
  codeChallenge: string
  scopes: readonly Scope[]
  /** The value of the `launch` parameter. */
  launch: string | null
}>

export type PendingRow = Omit<z.infer<typeof sealedRequest>, 'createdAt' | 'expiresAt'> & {
  /** The sealed request in the page's URL. */
  handle: string
  createdAt: Date
  expiresAt: Date
  client: Client & { organization: Organization | null }
  practice: SmartPractice
  launch: LaunchContext | null
}
const sealContext = 'authorization-request'
/** Longer than any handle that this server makes. */
const handleCharactersMax = 12_000

/** The contents of a sealed request. Times are milliseconds since 1970. */
const sealedRequest = z.strictObject({
  id: z.uuid(),
  binding: z.string(),
  clientId: z.string(),
  practiceId: z.string(),
  redirectUri: z.string(),
  state: z.string(),
  nonce: z.string().nullable(),
  codeChallenge: z.string(),
  scope: z.string(),
  launchId: z.string().nullable(),
  createdAt: z.int(),
  expiresAt: z.int(),
})

const isHttps = ({ env }: Core) => env.PUBLIC_ORIGIN.startsWith('https:')

/**
 * Seals the request and uses up its launch value.
 * @returns the handle for the page's URL, the id that is stored once it is decided, and the Set-Cookie of the browser
 * @throws Problem `launch_unknown`
 */
export async function open(core: Core, request: VerifiedRequest, cookieHeader: string | null) {
  const { clock, randomBytes } = core
  const now = clock()
  const id = randomUUID()
  const binding = bindingOf(cookieHeader, isHttps(core), randomBytes)
  const launchId = request.launch === null ? null : await consumeLaunch(core, request, request.launch, now)
  const sealed = seal(core, {
    id,
    binding: Buffer.from(binding.hash).toString('base64url'),
    clientId: request.client.id,
    practiceId: request.practice.id,
    redirectUri: request.redirectUri,
    state: request.state,
    nonce: request.nonce,
    codeChallenge: request.codeChallenge,
    scope: formatScopes(request.scopes),
    launchId,
    createdAt: now.getTime(),
    expiresAt: now.getTime() + smartLifetimes.authorizationRequestMinutes * 60_000,
  })
  return { id: sealed, requestId: id, cookie: bindingCookie(binding.value, isHttps(core)) }
}

/** The contents are compressed, so that the URL with a long list of scopes stays within the limits of proxies. */
function seal({ keyring }: Core, contents: z.infer<typeof sealedRequest>): string {
  const bytes = deflateRawSync(Buffer.from(JSON.stringify(contents), 'utf8'))
  return Buffer.from(keyring.seal(bytes, sealContext)).toString('base64url')
}

function unseal({ keyring }: Core, handle: string): z.infer<typeof sealedRequest> | null {
  if (handle.length > handleCharactersMax) return null
  try {
    const bytes = keyring.open(Buffer.from(handle, 'base64url'), sealContext)
    return sealedRequest.parse(JSON.parse(inflateRawSync(bytes).toString('utf8')))
  } catch {
    // The handle was changed, has another purpose or format, or its key is gone.
    return null
  }
}

/** Uses up a launch value. Of two concurrent requests with the same value, one is refused. */
async function consumeLaunch(
  { prisma }: Core,
  { client, practice }: VerifiedRequest,
  launch: string,
  now: Date,
): Promise<string> {
  if (!isToken('launch', launch)) throw refuse('launch_unknown')
  const [consumed] = await prisma.launchContext.updateManyAndReturn({
    where: {
      tokenHash: hashToken(launch),
      clientId: client.id,
      practiceId: practice.id,
      consumedAt: null,
      expiresAt: { gt: now },
    },
    data: { consumedAt: now },
    select: { id: true },
  })
  if (!consumed) throw refuse('launch_unknown')
  return consumed.id
}

/** Finds an open request of this browser. @throws Problem `not_found` if it is not open, or another browser's */
export async function find(core: Core, { id: handle, cookieHeader }: AuthorizationHandle) {
  const { clock, prisma } = core
  const sealed = unseal(core, handle)
  const isOpen =
    sealed !== null &&
    sealed.expiresAt > clock().getTime() &&
    isBound(cookieHeader, Buffer.from(sealed.binding, 'base64url'), isHttps(core))
  const [decided, client, practice, launch] = isOpen
    ? await Promise.all([
        prisma.authorizationRequest.count({ where: { id: sealed.id } }),
        prisma.client.findUnique({ where: { id: sealed.clientId }, include: { organization: true } }),
        prisma.practice.findUnique({ where: { id: sealed.practiceId }, select: smartPracticeFields }),
        sealed.launchId === null ? null : prisma.launchContext.findUnique({ where: { id: sealed.launchId } }),
      ])
    : [0, null, null, null]
  if (!isOpen || decided > 0 || client === null || practice === null)
    throw new Problem('not_found', {
      message:
        'This request is no longer open. It expired after ten minutes, was already answered, or was started in another browser. Start again in the app.',
    })
  return {
    ...sealed,
    handle,
    createdAt: new Date(sealed.createdAt),
    expiresAt: new Date(sealed.expiresAt),
    client,
    practice,
    launch,
  }
}

/** Stores that the request was decided. @throws Problem `not_found` if a concurrent decision came first */
export async function close({ clock }: Core, tx: Prisma.TransactionClient, row: PendingRow): Promise<void> {
  const now = clock()
  const { count } = await tx.authorizationRequest.createMany({
    data: [
      {
        id: row.id,
        browserHash: Buffer.from(row.binding, 'base64url'),
        clientId: row.clientId,
        practiceId: row.practiceId,
        redirectUri: row.redirectUri,
        // The app's state is not needed once the request is decided.
        state: '',
        codeChallenge: row.codeChallenge,
        scope: row.scope,
        launchId: row.launchId,
        createdAt: row.createdAt,
        expiresAt: row.expiresAt,
        decidedAt: now,
      },
    ],
    skipDuplicates: true,
  })
  if (count === 0 || row.expiresAt <= now)
    throw new Problem('not_found', {
      message: 'This request was already answered. Start again in the app.',
    })
}

/** The tick: deletes old requests and launches. Decided requests stay for a day, so that none is decided twice. */
export async function deleteExpired({ prisma }: Core, now: Date): Promise<number> {
  const before = new Date(now.getTime() - 86_400_000)
  const where = { expiresAt: { lte: before } }
  const gone = await deleteInBatches((limit) => prisma.authorizationRequest.deleteMany({ where, limit }))
  const unused = { ...where, authorizationRequests: { none: {} } }
  await deleteInBatches((limit) => prisma.launchContext.deleteMany({ where: unused, limit }))
  return gone
}

export type PendingAuthorization = ReturnType<typeof toPending>

export function toPending(row: PendingRow) {
  const { client, practice, launch } = row
  const scopes = readScopes(row.scope)
  return {
    id: row.handle,
    client: {
      clientId: client.id,
      name: client.name,
      description: client.description,
      homepage: client.homepage,
      logoUrl: client.logoUrl,
      /** The organization that registered it; null for our own sample apps. */
      organizationName: client.organization?.name ?? null,
      environment: client.environment,
    },
    practice: { id: practice.id, slug: practice.slug, name: publicPracticeName(practice) },
    /** Null for a standalone launch. */
    launch: launch && { patientId: launch.patientId },
    /** The offered scopes: those requested, registered, and allowed by the practice. */
    scopes,
    /** The origin for the page's `form-action`, or the scheme of a native app such as `com.example.app:`. */
    redirectOrigin: originOf(row.redirectUri),
    /** The realm in which the person must sign in. */
    realm: realmOf(row),
    /** Whether the grant needs a patient and the launch names none. */
    needsPatientChoice: needsPatient(scopes) && !launch?.patientId,
    expiresAt: row.expiresAt,
  }
}

export const realmOf = ({ client }: Pick<PendingRow, 'client'>): 'patient' | 'practice' =>
  client.audience === 'clinician' ? 'practice' : 'patient'

/** Whether the grant is for a single patient. */
function needsPatient(scopes: readonly Scope[]): boolean {
  return (
    grants(scopes, 'launch/patient') ||
    scopes.some((scope) => scope.kind === 'resource' && scope.context === 'patient')
  )
}

/** The source that a `form-action` directive must list to allow the redirect. */
function originOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : url.protocol
}
