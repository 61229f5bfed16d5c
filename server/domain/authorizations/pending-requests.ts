/** Authorize requests between their checks and a person's decision. */
import type {
  AuthorizationRequest,
  Client,
  LaunchContext,
  Organization,
  Prisma,
  PrismaClient,
} from '../../../prisma/generated/client/client.ts'
import { hashOpaque } from '../../auth/opaque-value.ts'
import { refuse } from '../../contract/oauth-errors.ts'
import { isOpaque } from '../../contract/opaque-values.ts'
import { Problem } from '../../contract/problems.ts'
import { formatScopes, readScopes, type Scope } from '../../contract/scopes.ts'
import { smartLifetimes } from '../../contract/smart-lifetimes.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import { deleteInBatches } from '../../store/delete-in-batches.ts'
import { grants } from '../grants/issue-tokens.ts'
import { type SmartPractice, smartPracticeFields } from '../practices/fhir-access.ts'
import type { AuthorizationHandle, PendingAuthorization } from './authorization-types.ts'
import { bindingCookie, isBound, makeBinding } from './browser-binding.ts'

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

export type PendingRow = AuthorizationRequest & {
  client: Client & { organization: Organization | null }
  practice: SmartPractice
  launch: LaunchContext | null
}

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  randomBytes: (size: number) => Uint8Array
  env: { PUBLIC_ORIGIN: string }
}

export function createPendingRequests({ prisma, clock, randomBytes, env }: Dependencies) {
  const overHttps = env.PUBLIC_ORIGIN.startsWith('https:')

  /**
   * Stores the request and uses up its launch, both or neither.
   * @returns its id, and the Set-Cookie that ties it to this browser
   * @throws Problem `launch_unknown`
   */
  async function open(request: VerifiedRequest): Promise<{ id: string; cookie: string }> {
    const now = clock()
    const binding = makeBinding(randomBytes)
    const { id } = await prisma.$transaction(async (tx) =>
      tx.authorizationRequest.create({
        data: {
          browserHash: binding.hash,
          clientId: request.client.id,
          practiceId: request.practice.id,
          redirectUri: request.redirectUri,
          state: request.state,
          nonce: request.nonce,
          codeChallenge: request.codeChallenge,
          scope: formatScopes(request.scopes),
          launchId: request.launch === null ? null : await consumeLaunch(tx, request, request.launch, now),
          createdAt: now,
          expiresAt: new Date(now.getTime() + smartLifetimes.authorizationRequestMinutes * 60_000),
        },
        select: { id: true },
      }),
    )
    return { id, cookie: bindingCookie(id, binding.value, overHttps) }
  }

  /** Of two requests that bring the same launch one is served. */
  async function consumeLaunch(
    tx: Prisma.TransactionClient,
    { client, practice }: VerifiedRequest,
    launch: string,
    now: Date,
  ): Promise<string> {
    if (!isOpaque('launch', launch)) throw refuse('launch_unknown')
    const [consumed] = await tx.launchContext.updateManyAndReturn({
      where: {
        tokenHash: hashOpaque(launch),
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
  async function find({ id, cookieHeader }: AuthorizationHandle): Promise<PendingRow> {
    const row = uuidPattern.test(id)
      ? await prisma.authorizationRequest.findUnique({
          where: { id },
          include: {
            client: { include: { organization: true } },
            practice: { select: smartPracticeFields },
            launch: true,
          },
        })
      : null
    const isLive = row && row.decidedAt === null && row.expiresAt > clock()
    if (!isLive || !isBound(id, cookieHeader, row.browserHash, overHttps))
      throw new Problem('not_found', {
        message:
          'This request is not open: it is over after ten minutes, answered already, or was begun in another browser. Start again in the app.',
      })
    return row
  }

  /** Tick: requests, codes and launches whose time is over. Requests are kept a day, for questions. */
  async function deleteExpired(now: Date): Promise<number> {
    const before = new Date(now.getTime() - 86_400_000)
    const where = { expiresAt: { lte: before } }
    const gone = await deleteInBatches((limit) => prisma.authorizationRequest.deleteMany({ where, limit }))
    const unused = { ...where, authorizationRequests: { none: {} } }
    await deleteInBatches((limit) => prisma.launchContext.deleteMany({ where: unused, limit }))
    return gone
  }

  return { open, find, deleteExpired }
}

export type PendingRequests = ReturnType<typeof createPendingRequests>

export function toPending(row: PendingRow): PendingAuthorization {
  const { client, practice, launch } = row
  const scopes = readScopes(row.scope)
  return {
    id: row.id,
    client: {
      clientId: client.id,
      name: client.name,
      description: client.description,
      homepage: client.homepage,
      logoUrl: client.logoUrl,
      audience: client.audience === 'clinician' ? 'clinician' : 'patient',
      kind: client.authentication === 'none' ? 'public' : 'confidential',
      organizationName: client.organization?.name ?? null,
      environment: client.environment,
    },
    practice: { id: practice.id, slug: practice.slug, name: practice.name },
    launch: launch && {
      patientId: launch.patientId,
      encounterId: launch.encounterId,
      practitionerId: launch.practitionerId,
      intent: launch.intent,
    },
    scopes,
    redirectOrigin: originOf(row.redirectUri),
    realm: realmOf(row),
    needsPatientChoice: needsPatient(scopes) && !launch?.patientId,
    expiresAt: row.expiresAt,
  }
}

export function realmOf({ client }: Pick<PendingRow, 'client'>): 'patient' | 'practice' {
  return client.audience === 'clinician' ? 'practice' : 'patient'
}

/** Whether the grant is about one patient. */
export function needsPatient(scopes: readonly Scope[]): boolean {
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
