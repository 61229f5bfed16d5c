/** Requests for sandbox keys on the engine of workflows: the caller of a step provides the guards and email contents that its row of the table names. */
import type { Prisma, SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import { Problem } from '../../contract/http/problems.ts'
import { rowId } from '../../contract/http/uuid.ts'
import {
  type SandboxKeyTransition,
  sandboxKeyWorkflow,
} from '../../contract/workflows/sandbox-key-workflow.ts'
import type { OrganizationActor } from '../../contract/workflows/workflows.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import type { Actor } from '../actor.ts'
import { findRole } from '../organizations/membership.ts'
import type * as engine from '../workflow/engine.ts'
import { stepsOf } from '../workflow/work.ts'

type Data = Prisma.SandboxKeyRequestUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof sandboxKeyWorkflow.rows)[number]
  subject: SandboxKeyRequest
  party: Party
  data: Data
  /** Props that `write` gives to every email. */
  about: 'name' | 'keyName' | 'requestId'
}

export const sandboxKeys: engine.Noun<SandboxKeyRequest, Party, Data> = {
  kind: 'sandbox_key_request',
  audit: 'sandbox_key',
  rows: sandboxKeyWorkflow.rows satisfies readonly SandboxKeyTransition[],
  next: sandboxKeyWorkflow.next as (from: string | null, event: string, actor: string) => string,
  async lock(tx, id) {
    await tx.$queryRaw`SELECT 1 FROM portal.sandbox_key_request WHERE id = ${id}::uuid FOR UPDATE`
    return tx.sandboxKeyRequest.findUnique({ where: { id } })
  },
  update: (tx, id, data) => tx.sandboxKeyRequest.update({ where: { id }, data }),
  findParty,
  processParty: () => system,
  findConflict,
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

// Who acts on a request for a sandbox key, in the words of its workflow.

type Party = Readonly<{ kind: OrganizationActor; accountId: string | null; email: string }>

const system: Party = { kind: 'system', accountId: null, email: '' }

/** @throws Problem `not_found` for everybody who is neither of the organization nor of the staff */
export async function findParty(
  db: Prisma.TransactionClient,
  { organizationId }: Readonly<{ organizationId: string }>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<Party> {
  const account = await db.account.findUnique({ where: { id: rowId(accountId) } })
  if (!account || account.disabledAt) throw new Problem('not_found')
  const { email } = account
  if (account.realm === 'staff' && account.staffRole) return { kind: account.staffRole, accountId, email }
  const role = await findRole(db, { organizationId, accountId })
  if (!role) throw new Problem('not_found')
  return { kind: role, accountId, email }
}

/** Why a reviewer may not decide on a request; null when nothing is in the way. */
export async function findConflict(
  db: Prisma.TransactionClient,
  { organizationId }: Readonly<{ organizationId: string }>,
  { email }: Readonly<{ email: string }>,
): Promise<string | null> {
  const own = await db.membership.count({ where: { organizationId, account: { email } } })
  return own > 0 ? 'You belong to this organization, so a colleague must decide.' : null
}
