/** Requests for sandbox keys on the engine of workflows: what an event's row names, whoever makes the step has to bring. */
import type { Prisma, SandboxKeyRequest } from '../../../prisma/generated/client/client.ts'
import {
  type SandboxKeyEventName,
  type SandboxKeyTransition,
  sandboxKeyWorkflow,
} from '../../contract/workflows/sandbox-key-workflow.ts'
import type { EnqueuedMail } from '../../mail/outbox.ts'
import type { Core } from '../core.ts'
import * as engine from '../workflow/engine.ts'
import type { FirstOf, FirstWorkOf, WorkOf } from '../workflow/work.ts'
import { findConflict, findParty, type Party, system } from './parties.ts'

type Data = Prisma.SandboxKeyRequestUncheckedUpdateManyInput
type Types = {
  tableRow: (typeof sandboxKeyWorkflow.rows)[number]
  subject: SandboxKeyRequest
  party: Party
  data: Data
  /** Props that `write` gives to every email. */
  about: 'name' | 'keyName' | 'requestId'
}
type RequestTarget = Readonly<{ requestId: string; version?: number }>
type Initiator = engine.Initiator<Party>

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
  async write(tx, { id, name: keyName, requestedById }, { template, content: { links, ...content } }) {
    const { name, email: to } = await tx.account.findUniqueOrThrow({ where: { id: requestedById } })
    const props = { name, keyName, requestId: id, ...content }
    return [{ template, to, props, ...(links ? { links } : {}) } as EnqueuedMail]
  },
}

export function transition<Event extends SandboxKeyEventName>(
  core: Core,
  target: RequestTarget,
  ...[event, who, work]: [event: Event, who: Initiator, ...work: WorkOf<Types, Event>]
) {
  return engine.transition(core, sandboxKeys, toTarget(target), event, who, work as AnyWork)
}

export function transitionIn<Event extends SandboxKeyEventName>(
  core: Core,
  tx: Prisma.TransactionClient,
  target: RequestTarget,
  ...[event, who, work]: [event: Event, who: Initiator, ...work: WorkOf<Types, Event>]
) {
  return engine.transitionIn(core, sandboxKeys, tx, toTarget(target), event, who, work as AnyWork)
}

/** The first step: the one that makes the row. */
export function begin<Event extends FirstOf<Types>>(
  core: Core,
  tx: Prisma.TransactionClient,
  ...[event, work]: [event: Event, work: FirstWorkOf<Types, Event>]
): Promise<SandboxKeyRequest> {
  return engine.begin(core, sandboxKeys, tx, event, work)
}

type AnyWork = engine.Work<SandboxKeyRequest, Party, Data> | undefined

function toTarget({ requestId: id, ...target }: RequestTarget): engine.Target {
  return { id, ...target }
}
