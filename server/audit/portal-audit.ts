/**
 * Writes the portal's audit rows, one for each change and in the transaction of the change, so that there is no change
 * without its row. Details name what changed and never contain a secret, a token or a password.
 */
import type { Prisma } from '../../prisma/generated/client/client.ts'
import type { TextReview } from '../contract/text/text-warnings.ts'

export type AuditActor = {
  actorKind: 'account' | 'visitor' | 'system' | 'api_key' | 'client'
  actorId: string | null
  ip: string | null
  correlationId: string | null
  /** Why the person overrode warnings about a text. */
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

    /** Appends many rows in one statement. */
    async appendMany(tx: Prisma.TransactionClient, entries: readonly AuditEntry[]): Promise<void> {
      await tx.auditEvent.createMany({ data: entries.map((entry) => toRow(entry, clock())) })
    },

    /** The actor is a signed-in person. */
    by: (actor: Request & { accountId: string; textReview?: TextReview }): AuditActor => ({
      actorKind: 'account',
      actorId: actor.accountId,
      ip: actor.ip,
      correlationId: actor.correlationId,
      ...(actor.textReview ? { textReview: actor.textReview } : {}),
    }),

    /** The actor is not signed in. */
    visitor: (context: Request): AuditActor => ({
      actorKind: 'visitor',
      actorId: null,
      ip: context.ip,
      correlationId: context.correlationId,
    }),

    /** The actor is an app that has authenticated, or a public app that has sent its `client_id`. */
    client: ({ clientId, ip, correlationId }: Request & { clientId: string }): AuditActor => ({
      actorKind: 'client',
      actorId: clientId,
      ip,
      correlationId,
    }),

    /** The actor is a job. */
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

/** The reason and the overridden warnings by field, without the text. */
function overrideDetail(review: TextReview | undefined): Prisma.InputJsonObject {
  if (!review || review.overridden.size === 0) return {}
  return { textOverride: { reason: review.reason, seen: Object.fromEntries(review.overridden) } }
}

export type PortalAudit = ReturnType<typeof createPortalAudit>
