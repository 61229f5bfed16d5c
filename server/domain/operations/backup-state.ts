/** What is known of the backups in object storage: a row of the portal's audit whenever it changes. */
import { isDeepStrictEqual } from 'node:util'
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'

export type BackupState = {
  /** The last complete one. */
  newest: { name: string; at: string } | null
  /** Its proof; null: it was not tried. */
  proof: { at: string; fault: string | null } | null
  /** When a backup was last found good. */
  proven: string | null
  /** Whether the worker itself proves them. */
  provesHere: boolean
}

export type BackupAges = {
  ageSeconds: number
  /** Null: they are not proven, as far as this installation knows. */
  proofAgeSeconds: number | null
  proofFailed: boolean
}

const action = 'backup.state_changed'

type Dependencies = { prisma: PrismaClient; portalAudit: PortalAudit }

/** @param state null: the service makes none */
export async function recordBackupState(
  { prisma, portalAudit }: Dependencies,
  state: BackupState | null,
): Promise<void> {
  const last = await readBackupState(prisma)
  if (isDeepStrictEqual(last, state)) return
  await prisma.$transaction((tx) =>
    portalAudit.append(tx, {
      ...portalAudit.system(),
      action,
      subject: { kind: 'backup', id: state?.newest?.name ?? null },
      detail: { state },
    }),
  )
}

export async function readBackupState(prisma: PrismaClient): Promise<BackupState | null> {
  const row = await prisma.auditEvent.findFirst({
    where: { action, subjectKind: 'backup' },
    orderBy: { id: 'desc' },
    select: { detail: true },
  })
  return (row?.detail as { state?: BackupState | null } | undefined)?.state ?? null
}

/** For metrics; null: the service makes none. What never happened is infinitely long ago. */
export function backupAges(state: BackupState | null, now: Date): BackupAges | null {
  if (state === null) return null
  const since = (at: string | undefined) =>
    at === undefined ? Number.POSITIVE_INFINITY : Math.max(0, (now.getTime() - Date.parse(at)) / 1_000)
  const proofAgeSeconds = state.proven === null && !state.provesHere ? null : since(state.proven ?? undefined)
  return {
    ageSeconds: since(state.newest?.at),
    proofAgeSeconds,
    proofFailed: (state.proof?.fault ?? null) !== null,
  }
}
