/**
 * Authorize requests between their checks and a person's decision. Until then they live in the address of the page that
 * asks the person, sealed, and in no database: an unauthenticated request costs this server no storage.
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

/** An authorize request whose every check has passed. */
export type VerifiedRequest = Readonly<{
  practice: SmartPractice
  client: Client
  redirectUri: string
  state: string
  nonce: string | null
  codeChallenge: string
  scopes: readonly Scope[]
  /** The launch value as it was sent. */
  launch: string | null
}>

export type PendingRow = Omit<z.infer<typeof sealedRequest>, 'createdAt' | 'expiresAt'> & {
  /** Its sealed form, as the page's address carries it. */
  handle: string
  createdAt: Date
  expiresAt: Date
  client: Client & { organization: Organization | null }
  practice: SmartPractice
  launch: LaunchContext | null
}
const sealContext = 'authorization-request'
/** Longer than any that this server makes. */
const handleCharactersMax = 12_000

/** The request as the page's address carries it. Times are milliseconds since 1970. */
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
 * Seals the request and uses up its launch. Nothing is stored: anybody can send requests, and only a person who has
 * signed in makes one worth a row (see `decide`).
 * @param cookieHeader of the browser that brings it
 * @returns its handle for the page's address, its id as it is stored once it is decided, and the Set-Cookie that ties it to this browser
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

/** Compressed, so that a long list of scopes fits the address lines of proxies. */
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
    // Changed, of another purpose, of a key that is gone, or of another release.
    return null
  }
}

/** Of two requests that bring the same launch one is served. */
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

/** The request of this browser, while it can be decided. @throws Problem `not_found` for everything else */
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

/** Stores that the request was decided; two answers at once are one answer. @throws Problem `not_found` */
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
        // The app's own, and of no use once it is answered.
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

/** Tick: requests, codes and launches whose time is over. Decided requests are kept a day, so that none is decided twice. */
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
    /** Null: the app was opened by itself. */
    launch: launch && { patientId: launch.patientId },
    /** Offered: asked, registered, and let out by the practice. */
    scopes,
    /** For the page's `form-action`: an origin, or the scheme of a native app such as `com.example.app:`. */
    redirectOrigin: originOf(row.redirectUri),
    /** Who must sign in. */
    realm: realmOf(row),
    /** A patient is part of the answer, and the launch names none. */
    needsPatientChoice: needsPatient(scopes) && !launch?.patientId,
    expiresAt: row.expiresAt,
  }
}

export const realmOf = ({ client }: Pick<PendingRow, 'client'>): 'patient' | 'practice' =>
  client.audience === 'clinician' ? 'practice' : 'patient'

/** Whether the grant is about one patient. */
function needsPatient(scopes: readonly Scope[]): boolean {
  return (
    grants(scopes, 'launch/patient') ||
    scopes.some((scope) => scope.kind === 'resource' && scope.context === 'patient')
  )
}

/** What a `form-action` directive must name for the redirect to come through. */
function originOf(redirectUri: string): string {
  const url = new URL(redirectUri)
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.origin : url.protocol
}
