/**
 * The portal's audit rows: one per transition, written in the transition's own transaction, so that a change
 * without its row cannot exist. Details name what changed; they never hold a secret, a token or a password.
 */
import type { Prisma } from '../../prisma/generated/client/client.ts'
import type { TextReview } from '../contract/text/text-warnings.ts'

export type AuditActor = {
  actorKind: 'account' | 'visitor' | 'system' | 'api_key' | 'client'
  actorId: string | null
  ip: string | null
  correlationId: string | null
  /** Of the person's request: why text stayed that they were warned about. */
  textReview?: TextReview
}

type AuditEntry = AuditActor & {
  /** `noun.past_participle`, such as `sandbox_key.revealed`. */
  action: string
  subject: { kind: string; id: string | null }
  organizationId?: string
  practiceId?: string
  detail?: Prisma.InputJsonObject
}

type Request = { ip: string; correlationId: string }

export function createPortalAudit({ clock }: { clock: () => Date }) {
  return {
    /** Appends one row in the caller's transaction. */
    async append(tx: Prisma.TransactionClient, entry: AuditEntry): Promise<void> {
      await tx.auditEvent.create({ data: toRow(entry, clock()), select: { id: true } })
    },

    /** The same for many rows, in one statement. */
    async appendMany(tx: Prisma.TransactionClient, entries: readonly AuditEntry[]): Promise<void> {
      await tx.auditEvent.createMany({ data: entries.map((entry) => toRow(entry, clock())) })
    },

    /** The signed-in person as the row's actor. */
    by: (actor: Request & { accountId: string; textReview?: TextReview }): AuditActor => ({
      actorKind: 'account',
      actorId: actor.accountId,
      ip: actor.ip,
      correlationId: actor.correlationId,
      ...(actor.textReview ? { textReview: actor.textReview } : {}),
    }),

    /** A person not signed in. */
    visitor: (context: Request): AuditActor => ({
      actorKind: 'visitor',
      actorId: null,
      ip: context.ip,
      correlationId: context.correlationId,
    }),

    /** An app that has authenticated (or, if public, named itself). */
    client: ({ clientId, ip, correlationId }: Request & { clientId: string }): AuditActor => ({
      actorKind: 'client',
      actorId: clientId,
      ip,
      correlationId,
    }),

    /** A job or a tick. */
    system: (correlationId: string | null = null): AuditActor => ({
      actorKind: 'system',
      actorId: null,
      ip: null,
      correlationId,
    }),
  }
}

function toRow({ subject, detail, textReview, ...entry }: AuditEntry, at: Date) {
  return {
    ...entry,
    at,
    subjectKind: subject.kind,
    subjectId: subject.id,
    detail: { ...detail, ...overrideDetail(textReview) },
  }
}

/** The reason and what was seen in which field; never the text. */
function overrideDetail(review: TextReview | undefined): Prisma.InputJsonObject {
  if (!review || review.overridden.size === 0) return {}
  return { textOverride: { reason: review.reason, seen: Object.fromEntries(review.overridden) } }
}

export type PortalAudit = ReturnType<typeof createPortalAudit>
