/** Demonstration sign-ins of the seed: made again and again without making two. */

import type { Realm } from '../../contract/portal/realms.ts'
import { normalizeEmail } from '../../contract/text/email-address.ts'
import type { Core } from '../core.ts'

type DemoAccountInput = {
  realm: Realm
  email: string
  name: string
  password: string
  staffRole?: 'reviewer' | 'ops'
}

/**
 * Makes the account, or brings it to what is given.
 * @throws Error when the address belongs to a real account
 */
export async function createDemoAccount(
  { prisma, passwords, clock, portalAudit }: Core,
  input: DemoAccountInput,
): Promise<{ id: string }> {
  const { realm, name, password, staffRole = null } = input
  const email = normalizeEmail(input.email)
  const where = { realm_email: { realm, email } }
  const existing = await prisma.account.findUnique({ where })
  if (existing && !existing.isDemo)
    throw new Error(`the ${realm} account of a demonstration address is somebody's own`)
  const kept = existing && (await passwords.verify(existing.passwordHash, password)) === 'right'
  const passwordHash = kept ? existing.passwordHash : await passwords.hash(password)
  return prisma.$transaction(async (tx) => {
    const now = clock()
    const account = await tx.account.upsert({
      where,
      create: {
        realm,
        email,
        name,
        passwordHash,
        staffRole,
        isDemo: true,
        emailVerifiedAt: now,
        createdAt: now,
      },
      update: { name, passwordHash, staffRole, disabledAt: null },
      select: { id: true },
    })
    if (!existing) {
      await portalAudit.append(tx, {
        ...portalAudit.system(),
        action: 'account.demo_created',
        subject: { kind: 'account', id: account.id },
        detail: { realm },
      })
    }
    return account
  })
}
