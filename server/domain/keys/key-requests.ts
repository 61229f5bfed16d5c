/**
 * Requests for sandbox keys (workflows §3). The request is stored together with its receipt and its job; the job checks
 * it, creates the practice and sends the claim link. If the process ends at any point, the job goes on from there.
 */
import type { Prisma, SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { findSecret } from '../../contract/text/secret-patterns.ts'
import { type ReviewFlag, speaksOfRealData } from '../../contract/workflows/key-review.ts'
import { type SandboxKeyState, sandboxKeyWorkflow } from '../../contract/workflows/sandbox-key-workflow.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Actor } from '../actor.ts'
import type { Core } from '../core.ts'
import { findOrganizationParty, lockOrganization, requireRole } from '../organizations/membership.ts'
import * as sandboxes from '../practices/organization-sandbox.ts'
import { checkTexts } from '../text-scan/check-text.ts'
import { claimEnd, issueClaimLink } from './claims.ts'
import { refuseOverLimit } from './key-limit.ts'
import { begin, transition } from './transition.ts'

export type SandboxKeyRequestInput = {
  organizationId: string
  name: string
  projectDescription: string
  /** The email address for technical questions. */
  technicalContact: string
  level: 'read_only' | 'full'
  termsVersion: string
  termsSha256: string
  /** Unique for each rendered form, so that the same form sent twice makes one request. */
  idempotencyKey: string
}

type TermsAccepted = Pick<SandboxKeyRequestInput, 'termsVersion' | 'termsSha256'>

type RequestOptions = {
  /** Runs in the request's transaction: an error from it undoes the request. */
  alongside?: (tx: Prisma.TransactionClient, requestId: string) => Promise<void>
  /** Whether the caller provides the key itself, without emails. The job only follows in case that fails. */
  first?: boolean
}

/**
 * Records the request. The claim link follows by email within seconds.
 * @throws Problem `validation` (terms, secrets in the text), `conflict` (three live keys), `forbidden`, `not_found`
 */
export async function requestSandboxKey(
  core: Core,
  input: SandboxKeyRequestInput,
  actor: Actor,
  options: RequestOptions = {},
) {
  const { prisma, clock } = core
  await requireRole(prisma, { ...input, accountId: actor.accountId }, ['developer', 'admin', 'owner'])
  refuseWrongInput(core, input, actor)
  const repeated = await findRepeated(core, input)
  if (repeated) return repeated
  try {
    await refuseOverLimit(prisma, { organizationId: input.organizationId, now: clock() })
    return await recordRequest(core, input, actor, options)
  } catch (error) {
    if (!isUniqueViolation(error) && !isProblem(error)) throw error
    const winner = await findRepeated(core, input) // the same form, sent twice at once, may have used the last slot
    if (!winner) throw error
    return winner
  }
}

/** @throws Problem `validation` if the terms are not the current ones, or a text contains a secret or patient data */
export function refuseWrongInput(
  core: Core,
  input: Omit<SandboxKeyRequestInput, 'organizationId'>,
  actor: Actor,
): void {
  refuseWrongTerms(core, input)
  checkInputTexts(input, actor)
}

function refuseWrongTerms({ agreementTexts }: Core, input: TermsAccepted): void {
  const terms = agreementTexts.get('sandbox-terms')
  if (input.termsVersion === terms.version && input.termsSha256 === terms.sha256) return
  throw new Problem('validation', {
    message: `The sandbox terms have changed to version ${terms.version}. Read and accept them again.`,
    field: 'acceptTerms',
  })
}

function checkInputTexts(
  input: Pick<SandboxKeyRequestInput, 'name' | 'projectDescription' | 'technicalContact'>,
  actor: Actor,
): void {
  // Every email about the key contains its name, and an email with the prefix of a key is not sent.
  if (findSecret(input.name) !== null)
    throw new Problem('validation', {
      message: 'Remove keys and key prefixes from the name.',
      field: 'name',
    })
  const { name, projectDescription, technicalContact } = input
  checkTexts({ name, projectDescription, technicalContact }, actor)
}

async function findRepeated({ prisma }: Core, { organizationId, idempotencyKey }: SandboxKeyRequestInput) {
  const row = await prisma.sandboxKeyRequest.findUnique({
    where: { organizationId_idempotencyKey: { organizationId, idempotencyKey } },
    select: { id: true, state: true },
  })
  return row ? { requestId: row.id, state: row.state as SandboxKeyState } : null
}

function recordRequest(
  core: Core,
  input: SandboxKeyRequestInput,
  actor: Actor,
  { alongside, first = false }: RequestOptions,
) {
  const { prisma, clock } = core
  const { organizationId, level, termsVersion, termsSha256 } = input
  return prisma.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId) // two forms at once cannot both be the third key
    const now = clock()
    const party = await findOrganizationParty(tx, input, actor)
    const { id, state } = await begin(core, tx, first ? 'request_first' : 'request', {
      guards: { room_for_key: () => refuseOverLimit(tx, { organizationId, now }) },
      make: async () => {
        const request = await tx.sandboxKeyRequest.create({
          data: {
            ...input,
            requestedById: actor.accountId,
            state: sandboxKeyWorkflow.next(null, 'request'),
            createdAt: now,
            updatedAt: now,
          },
        })
        await alongside?.(tx, request.id)
        return request
      },
      party,
      actor,
      now,
      detail: { level, termsVersion, termsSha256 },
      emails: () => ({ 'key-request-received': { level } }),
    })
    await addProvision(core, tx, id, actor.correlationId, first ? { delaySeconds: firstSeconds } : {})
    return { requestId: id, state: state as SandboxKeyState }
  })
}

/** The job of a request: creates the practice, then makes the step that sends the claim link. Safe to repeat. */
export async function provision(
  core: Core,
  requestId: string,
  correlationId: string | null = null,
  { first = false }: Pick<RequestOptions, 'first'> = {},
): Promise<void> {
  const { prisma, clock } = core
  const request = await prisma.sandboxKeyRequest.findUnique({ where: { id: requestId } })
  if (request?.state !== 'requested' && request?.state !== 'approved') return
  const { organizationId, version } = request
  const target = { requestId, version }
  const job = { system: true, correlationId } as const
  if (request.state === 'requested') {
    const flags = await findFlags(prisma, request, clock())
    if (flags.length > 0)
      return unlessMoved(() =>
        transition(core, target, 'flag', job, {
          guards: { flagged: () => {} },
          effects: () => ({
            data: { flags },
            detail: { flags },
            emails: () => ({ 'key-request-review': {} }),
          }),
        }),
      )
  }
  const practice = await sandboxes.ensure(core, organizationId, { writable: request.level === 'full' })
  const provided = (now: Date) => ({
    data: { providedAt: now, practiceId: practice.id, claimExpiresAt: claimEnd(now) },
    detail: { practice: practice.slug, checks: ['key_limit', 'no_secret_in_text'] },
  })
  return unlessMoved(() =>
    first
      ? transition(core, target, 'provision_first', job, { effects: ({ now }) => provided(now) })
      : transition(core, target, 'provision', job, {
          effects: ({ tx, now }) => ({
            ...provided(now),
            emails: async (row) => ({ 'key-claim': await issueClaimLink(core, tx, row, now) }),
          }),
        }),
  )
}

/** The page for a first key provides the key itself; the job waits this long before it takes over. */
const firstSeconds = 60

/** Adds the job that makes a request claimable: at once, or after a reviewer has approved it. */
export function addProvision(
  { jobs }: Pick<Core, 'jobs'>,
  tx: Prisma.TransactionClient,
  requestId: string,
  correlationId: string,
  options: { delaySeconds?: number } = {},
): Promise<void> {
  const payload = { requestId, correlationId }
  return jobs.add(tx, 'provision-sandbox-key', payload, { jobKey: `provision:${requestId}`, ...options })
}

/** Ignores the conflict if a person or another worker made a step first: theirs counts. */
async function unlessMoved(step: () => Promise<unknown>): Promise<void> {
  try {
    await step()
  } catch (thrown) {
    if (!isProblem(thrown) || thrown.kind !== 'conflict') throw thrown
  }
}

// The automatic check flags requests that a reviewer must decide on.
const dayMs = 86_400_000
const requestsADay = 10

async function findFlags(
  db: Prisma.TransactionClient,
  request: Pick<SandboxKeyRequest, 'organizationId' | 'name' | 'projectDescription'>,
  now: Date,
): Promise<ReviewFlag[]> {
  const { organizationId } = request
  const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs)
  const [leaked, declined, requests] = await Promise.all([
    db.apiKey.count({ where: { organizationId, leakedAt: { gt: daysAgo(90) } } }),
    db.sandboxKeyRequest.count({
      where: { organizationId, state: 'declined', reviewedAt: { gt: daysAgo(30) } },
    }),
    db.sandboxKeyRequest.count({ where: { organizationId, createdAt: { gt: daysAgo(1) } } }),
  ])
  const flags: (ReviewFlag | false)[] = [
    speaksOfRealData(`${request.name}. ${request.projectDescription}`) && 'real_data',
    leaked > 0 && 'leaked_before',
    declined > 0 && 'declined_before',
    requests > requestsADay && 'many_requests',
  ]
  return flags.filter((flag) => flag !== false)
}
