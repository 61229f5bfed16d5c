/** The second steps of all staff, as operations look after them: who has one, and a new start for who lost theirs. */
import type { PrismaClient } from '../../../prisma/generated/client/client.ts'
import type { PortalAudit } from '../../audit/portal-audit.ts'
import type { Sessions } from '../../auth/sessions.ts'
import { Problem } from '../../contract/problems.ts'
import { uuidPattern } from '../../contract/uuid.ts'
import type { Mail } from '../../mail/mail.ts'
import type { Actor } from '../actor.ts'
import { requireStaff } from '../keys/staff.ts'

type Dependencies = {
  prisma: PrismaClient
  clock: () => Date
  mail: Pick<Mail, 'enqueue'>
  portalAudit: PortalAudit
  sessions: Sessions
}

export type StaffFactor = Readonly<{
  accountId: string
  name: string
  email: string
  staffRole: 'reviewer' | 'ops'
  /** When the app was set up; null: not yet, or not any more. */
  setUpAt: Date | null
  recoveryCodesLeft: number
  /** A published sign-in, which has none. */
  isDemo: boolean
}>

export function createStaffFactors({ prisma, clock, mail, portalAudit, sessions }: Dependencies) {
  /** Everybody who may sign in, by name. @throws Problem `forbidden` but for operations */
  async function listStaff(actor: Actor): Promise<readonly StaffFactor[]> {
    await requireStaff(prisma, actor, ['ops'])
    const rows = await prisma.account.findMany({
      where: { realm: 'staff', staffRole: { not: null }, disabledAt: null },
      include: {
        totpSecret: { select: { confirmedAt: true } },
        _count: { select: { recoveryCodes: { where: { usedAt: null } } } },
      },
      orderBy: [{ name: 'asc' }, { email: 'asc' }],
    })
    return rows.map(({ id, name, email, staffRole, totpSecret, isDemo, _count }) => ({
      accountId: id,
      name,
      email,
      staffRole: staffRole ?? 'reviewer',
      setUpAt: totpSecret?.confirmedAt ?? null,
      recoveryCodesLeft: _count.recoveryCodes,
      isDemo,
    }))
  }

  /**
   * Takes app and recovery codes off somebody's account and ends its sessions; the holder is told by mail, and sets up
   * a new app at the next sign-in. Never one's own: whoever took over a session would keep the account by it.
   * @throws Problem `forbidden` but for operations, `not_found`, `conflict` (one's own, or nothing set up)
   */
  async function reset(
    { accountId, reason }: { accountId: string; reason: string },
    actor: Actor,
  ): Promise<void> {
    await requireStaff(prisma, actor, ['ops'])
    const account = uuidPattern.test(accountId)
      ? await prisma.account.findFirst({ where: { id: accountId, realm: 'staff', disabledAt: null } })
      : null
    if (account === null) throw new Problem('not_found')
    if (accountId === actor.accountId)
      throw new Problem('conflict', { message: 'Somebody else of operations resets yours.' })
    await prisma.$transaction(async (tx) => {
      const { count } = await tx.totpSecret.deleteMany({ where: { accountId, confirmedAt: { not: null } } })
      if (count === 0) throw new Problem('conflict', { message: 'There is no second step to reset.' })
      await tx.recoveryCode.deleteMany({ where: { accountId } })
      await sessions.endOthers({ accountId, keepSessionId: null }, tx)
      const { name: by } = await tx.account.findUniqueOrThrow({ where: { id: actor.accountId } })
      await portalAudit.append(tx, {
        ...portalAudit.by(actor),
        action: 'second_factor.reset',
        subject: { kind: 'account', id: accountId },
        detail: { reason },
      })
      await mail.enqueue(tx, {
        template: 'second-factor-reset',
        to: account.email,
        props: { name: account.name, at: clock().toISOString(), by, reason },
        correlationId: actor.correlationId,
      })
    })
  }

  return { listStaff, reset }
}

export type StaffFactors = ReturnType<typeof createStaffFactors>
