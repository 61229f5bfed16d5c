/**
 * Asking for a sandbox key (workflows §3): the request is written first with its receipt and its job; the job
 * checks it, provides the practice and sends the claim link. Killed at any point, it goes on where it stopped.
 */
import type { Account, Prisma, SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import { limits } from '../../contract/http/limits.ts'
import { isProblem, Problem } from '../../contract/http/problems.ts'
import { findSecret } from '../../contract/text/secret-patterns.ts'
import { type SandboxKeyState, sandboxKeyWorkflow } from '../../contract/workflows/workflows.ts'
import { isUniqueViolation } from '../../store/unique-violation.ts'
import type { Actor } from '../actor.ts'
import { lockOrganization, requireRole } from '../organizations/membership.ts'
import { checkTexts } from '../text-scan/check-text.ts'
import { sendClaimLink } from './claim-link.ts'
import type { KeyDependencies } from './dependencies.ts'
import { refuseOverLimit } from './key-limit.ts'
import { findFlags } from './review-flags.ts'

export type SandboxKeyRequestInput = {
  organizationId: string
  name: string
  projectDescription: string
  /** Mail address of who answers technical questions. */
  technicalContact: string
  level: 'read_only' | 'full'
  termsVersion: string
  termsSha256: string
  /** Made by the form; sending the same form twice makes one request. */
  idempotencyKey: string
}

/** What is written together with the request or not at all; throwing takes the request back. */
type Alongside = (tx: Prisma.TransactionClient, requestId: string) => Promise<void>

export function createKeyRequests(dependencies: KeyDependencies) {
  const { prisma, clock, mail, portalAudit, sandboxTerms, sandboxes, jobs } = dependencies

  /**
   * Records the request. The claim link follows by mail within seconds.
   * @throws Problem `validation` (terms, secrets in the text), `conflict` (three live keys), `forbidden`, `not_found`
   */
  async function requestSandboxKey(input: SandboxKeyRequestInput, actor: Actor, alongside?: Alongside) {
    await requireRole(prisma, { ...input, accountId: actor.accountId }, ['developer', 'admin', 'owner'])
    refuseWrongTerms(input)
    checkInputTexts(input, actor)
    const repeated = await findRepeated(input)
    if (repeated) return repeated
    try {
      await refuseOverLimit(prisma, { organizationId: input.organizationId, now: clock() })
      return await recordRequest(input, actor, alongside)
    } catch (error) {
      if (!isUniqueViolation(error) && !isProblem(error)) throw error
      const winner = await findRepeated(input) // the same form, sent twice at once, may have taken the last key
      if (!winner) throw error
      return winner
    }
  }

  function refuseWrongTerms(input: SandboxKeyRequestInput): void {
    const terms = sandboxTerms.current()
    if (input.termsVersion === terms.version && input.termsSha256 === terms.sha256) return
    throw new Problem('validation', {
      message: `The sandbox terms have changed to version ${terms.version}. Read and accept them again.`,
      field: 'acceptTerms',
    })
  }

  function checkInputTexts(input: SandboxKeyRequestInput, actor: Actor): void {
    // The name stands in every mail about the key, and none with the beginning of a key in it would leave.
    if (findSecret(input.name) !== null)
      throw new Problem('validation', {
        message: 'Leave keys and their beginnings out of the name.',
        field: 'name',
      })
    const { name, projectDescription, technicalContact } = input
    checkTexts({ name, projectDescription, technicalContact }, actor)
  }

  async function findRepeated({ organizationId, idempotencyKey }: SandboxKeyRequestInput) {
    const row = await prisma.sandboxKeyRequest.findUnique({
      where: { organizationId_idempotencyKey: { organizationId, idempotencyKey } },
      select: { id: true, state: true },
    })
    return row ? { requestId: row.id, state: row.state as SandboxKeyState } : null
  }

  function recordRequest(input: SandboxKeyRequestInput, actor: Actor, alongside?: Alongside) {
    return prisma.$transaction(async (tx) => {
      await lockOrganization(tx, input.organizationId) // two forms at once cannot both be the third key
      const now = clock()
      await refuseOverLimit(tx, { organizationId: input.organizationId, now })
      const requester = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
      const request = await tx.sandboxKeyRequest.create({
        data: {
          ...input,
          requestedById: actor.accountId,
          state: 'requested',
          createdAt: now,
          updatedAt: now,
        },
      })
      await alongside?.(tx, request.id)
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        organizationId: input.organizationId,
        action: 'sandbox_key.requested',
        subject: { kind: 'sandbox_key_request', id: request.id },
        detail: { level: input.level, termsVersion: input.termsVersion, termsSha256: input.termsSha256 },
      })
      await mail.enqueue(tx, {
        template: 'key-request-received',
        to: requester.email,
        props: { name: requester.name, keyName: input.name, level: input.level, requestId: request.id },
        threadId: request.id,
        correlationId: actor.correlationId,
      })
      await jobs.add(
        tx,
        'provision-sandbox-key',
        { requestId: request.id, correlationId: actor.correlationId },
        { jobKey: `provision:${request.id}` },
      )
      return { requestId: request.id, state: 'requested' as SandboxKeyState }
    })
  }

  /** The job behind a request: practice first, then state, audit row and claim link together. Safe to repeat. */
  async function provision(requestId: string, correlationId?: string): Promise<void> {
    const request = await prisma.sandboxKeyRequest.findUnique({
      where: { id: requestId },
      include: { requestedBy: true, organization: true },
    })
    if (request?.state !== 'requested' && request?.state !== 'approved') return
    if (request.organization.blockedAt) return
    if (request.state === 'requested' && (await flag(request, correlationId))) return
    const practice = await sandboxes.ensure(request.organizationId, { writable: request.level === 'full' })
    await prisma.$transaction(async (tx) => {
      const now = clock()
      if (request.state === 'requested') sandboxKeyWorkflow.next('requested', 'auto_check', 'system')
      const ready = sandboxKeyWorkflow.next('approved', 'provision', 'system')
      const moved = await tx.sandboxKeyRequest.updateMany({
        where: { id: requestId, state: request.state, version: request.version },
        data: {
          state: ready,
          providedAt: now,
          version: { increment: 1 },
          practiceId: practice.id,
          claimExpiresAt: claimEnd(now),
          updatedAt: now,
        },
      })
      if (moved.count === 0) return // another worker was faster
      await portalAudit.append(tx, {
        ...portalAudit.system(correlationId ?? null),
        organizationId: request.organizationId,
        practiceId: practice.id,
        action: 'sandbox_key.provisioned',
        subject: { kind: 'sandbox_key_request', id: requestId },
        detail: {
          practice: practice.slug,
          checks: ['organization_not_blocked', 'key_limit', 'no_secret_in_text'],
        },
      })
      await sendClaimLink(tx, dependencies, {
        request: { ...request, claimExpiresAt: claimEnd(now) },
        practiceName: practice.name,
        now,
        ...(correlationId ? { correlationId } : {}),
      })
    })
  }

  /** Hands a request to a person, when a flag says so. @returns whether it did, or somebody else has moved it */
  async function flag(
    request: SandboxKeyRequest & { requestedBy: Account },
    correlationId?: string,
  ): Promise<boolean> {
    const now = clock()
    const flags = await findFlags(prisma, request, now)
    if (flags.length === 0) return false
    const { id, organizationId } = request
    await prisma.$transaction(async (tx) => {
      const moved = await tx.sandboxKeyRequest.updateMany({
        where: { id, state: 'requested', version: request.version },
        data: {
          state: sandboxKeyWorkflow.next('requested', 'flag', 'system'),
          version: { increment: 1 },
          flags,
          updatedAt: now,
        },
      })
      if (moved.count === 0) return
      await portalAudit.append(tx, {
        ...portalAudit.system(correlationId ?? null),
        organizationId,
        action: 'sandbox_key.flagged',
        subject: { kind: 'sandbox_key_request', id },
        detail: { flags },
      })
      await mail.enqueue(tx, {
        template: 'key-request-review',
        to: request.requestedBy.email,
        props: { name: request.requestedBy.name, keyName: request.name, requestId: id },
        threadId: id,
        ...(correlationId ? { correlationId } : {}),
      })
    })
    return true
  }

  return { requestSandboxKey, provision }
}

/** Claim links live 72 hours. */
export function claimEnd(now: Date): Date {
  return new Date(now.getTime() + limits.claimLinkHours * 3_600_000)
}
