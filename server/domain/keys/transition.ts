/** The workflow of requests for sandbox keys: how the engine reads, locks and updates them, and writes their emails. */
import type { Prisma, SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import {
  type SandboxKeyTransition,
  sandboxKeyWorkflow,
} from '../../contract/workflows/sandbox-key-workflow.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import { findOrganizationParty, type OrganizationParty, systemParty } from '../organizations/membership.ts'
import { findConflict } from '../review-queue/assignee.ts'
import type * as engine from '../workflow/engine.ts'
import { stepsOf } from '../workflow/work.ts'

type Data = Prisma.SandboxKeyRequestUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof sandboxKeyWorkflow.rows)[number]
  subject: SandboxKeyRequest
  party: OrganizationParty
  data: Data
  /** Props that `write` gives to every email. */
  about: 'name' | 'keyName' | 'requestId'
}

export const sandboxKeys: engine.Noun<SandboxKeyRequest, OrganizationParty, Data> = {
  kind: 'sandbox_key_request',
  audit: 'sandbox_key',
  rows: sandboxKeyWorkflow.rows satisfies readonly SandboxKeyTransition[],
  next: sandboxKeyWorkflow.next as (from: string | null, event: string, actor: string) => string,
  async lock(tx, id) {
    await tx.$queryRaw`SELECT 1 FROM portal.sandbox_key_request WHERE id = ${id}::uuid FOR UPDATE`
    return tx.sandboxKeyRequest.findUnique({ where: { id } })
  },
  update: (tx, id, data) => tx.sandboxKeyRequest.update({ where: { id }, data }),
  findParty: findOrganizationParty,
  processParty: () => systemParty,
  // The row's practice is the organization’s own sandbox, so only the organization can cause a conflict.
  findConflict: (db, { organizationId }, party) => findConflict(db, { organizationId }, party),
  mfaFirst: true,
  moveClock: () => ({}),
  auditDetail: (_, { from, to, codes, detail }) => ({
    from,
    to,
    ...(codes.length > 0 ? { codes } : {}),
    ...detail,
  }),
  practiceId: ({ practiceId }) => practiceId,
  async write(_, tx, { id, name: keyName, requestedById }, { template, content: { links, ...content } }) {
    const { name, email: to } = await tx.account.findUniqueOrThrow({ where: { id: requestedById } })
    const props = { name, keyName, requestId: id, ...content }
    return [{ template, to, props, ...(links ? { links } : {}) } as EnqueuedMail]
  },
}

export const { begin, transition, transitionIn } = stepsOf<Types, 'requestId'>(sandboxKeys, 'requestId')
