/**
 * The permanent test people of an organization's sandbox practice (contract/lab/sandbox-sign-ins.ts). Their accounts
 * belong to the practice, sign in on the real pages and share one password, which the organization's developers may see.
 * They refer to ids that every copy of the data has, so reset, snapshot and restore do not affect them.
 */

import type { Prisma } from '../../../prisma/generated/client/client.ts'
import type { AuditActor } from '../../audit/portal-audit.ts'
import { makeReadablePassword } from '../../auth/random-token.ts'
import { Problem } from '../../contract/http/problems.ts'
import {
  isSandboxAddress,
  type SandboxSignIn,
  sandboxSignIns,
  signInAddress,
} from '../../contract/lab/sandbox-sign-ins.ts'
import type { Core } from '../core.ts'

type StandingPeopleCore = Pick<Core, 'prisma' | 'clock' | 'keyring' | 'passwords' | 'portalAudit'>

type Sandbox = Readonly<{ id: string; slug: string }>
type StandingAccount = Readonly<{ id: string; signIn: SandboxSignIn }>

const sandboxWhere = { environment: 'sandbox', purpose: 'organization_sandbox' } as const

/**
 * Adds the missing people. Concurrent calls do not add a person twice.
 * @throws Problem `unavailable` while too many passwords are hashed
 */
export async function ensureStandingPeople(core: StandingPeopleCore, practice: Sandbox): Promise<void> {
  const { prisma, keyring, passwords } = core
  const row = await prisma.practice.findFirst({
    where: { id: practice.id, ...sandboxWhere },
    select: { sealedPeoplePassword: true },
  })
  if (row === null) return
  const known = await findAccounts(prisma, practice)
  if (known.length === sandboxSignIns.length && row.sealedPeoplePassword !== null) {
    await prisma.$transaction((tx) => giveRoles(tx, core, practice, known))
    return
  }
  const sealed = row.sealedPeoplePassword
  const password = sealed === null ? makeReadablePassword() : openPassword(core, practice, sealed)
  const passwordHash = await passwords.hash(password)
  await prisma.$transaction(async (tx) => {
    // Locks the practice, and finds out whether the password was made or changed meanwhile.
    const { count } = await tx.practice.updateMany({
      where: { id: practice.id, sealedPeoplePassword: sealed },
      data: { sealedPeoplePassword: sealed ?? keyring.seal(Buffer.from(password), sealContext(practice.id)) },
    })
    if (count === 0) return
    const added = await addAccounts(tx, core, practice, passwordHash)
    await giveRoles(tx, core, practice, await findAccounts(tx, practice))
    if (added > 0)
      await core.portalAudit.append(tx, {
        ...core.portalAudit.system(),
        practiceId: practice.id,
        action: 'sandbox.people_added',
        subject: { kind: 'practice', id: practice.id },
        detail: { accounts: added },
      })
  })
}

/** Null before the people are added. */
export async function readPeoplePassword(
  core: Pick<StandingPeopleCore, 'prisma' | 'keyring'>,
  practice: Sandbox,
): Promise<string | null> {
  const row = await core.prisma.practice.findFirst({
    where: { id: practice.id, ...sandboxWhere },
    select: { sealedPeoplePassword: true },
  })
  return row?.sealedPeoplePassword ? openPassword(core, practice, row.sealedPeoplePassword) : null
}

/**
 * Sets a new password for all of them and ends their sessions.
 * @throws Problem `unavailable` while too many passwords are hashed
 */
export async function resetPeoplePassword(
  core: StandingPeopleCore,
  practice: Sandbox,
  { organizationId, by }: { organizationId: string; by: AuditActor },
): Promise<void> {
  const { prisma, keyring, passwords, portalAudit } = core
  const password = makeReadablePassword()
  const passwordHash = await passwords.hash(password)
  await prisma.$transaction(async (tx) => {
    await tx.practice.update({
      where: { id: practice.id, ...sandboxWhere },
      data: { sealedPeoplePassword: keyring.seal(Buffer.from(password), sealContext(practice.id)) },
    })
    const where = { sandboxPracticeId: practice.id }
    await tx.account.updateMany({ where, data: { passwordHash } })
    await tx.session.deleteMany({ where: { account: where } })
    await portalAudit.append(tx, {
      ...by,
      organizationId,
      practiceId: practice.id,
      action: 'sandbox.people_password_reset',
      subject: { kind: 'practice', id: practice.id },
    })
  })
}

/** Seals the passwords with the keyring's first key. @returns the number of passwords sealed with another key */
export async function resealPeoplePasswords({
  prisma,
  keyring,
}: Pick<StandingPeopleCore, 'prisma' | 'keyring'>): Promise<number> {
  const rows = await prisma.practice.findMany({
    where: { sealedPeoplePassword: { not: null } },
    select: { id: true, sealedPeoplePassword: true },
  })
  let resealed = 0
  for (const { id, sealedPeoplePassword: old } of rows) {
    const sealed = old && keyring.reseal(old, sealContext(id))
    if (!sealed) continue
    const where = { id, sealedPeoplePassword: old }
    resealed += (await prisma.practice.updateMany({ where, data: { sealedPeoplePassword: sealed } })).count
  }
  return resealed
}

/**
 * Developers know these people's password, and their sign-in has no second step, so other practices must not invite them.
 * @throws Problem `validation`
 */
export function refuseSandboxAddress(email: string): void {
  if (isSandboxAddress(email))
    throw new Problem('validation', { field: 'email', message: 'This address belongs to a sandbox.' })
}

async function findAccounts(db: Prisma.TransactionClient, practice: Sandbox) {
  const rows = await db.account.findMany({
    where: { sandboxPracticeId: practice.id },
    select: { id: true, realm: true, email: true },
  })
  const ids = new Map(rows.map(({ id, realm, email }) => [`${realm} ${email}`, id]))
  return sandboxSignIns.flatMap((signIn) => {
    const id = ids.get(`${signIn.realm} ${signInAddress(signIn.localPart, practice.slug)}`)
    return id === undefined ? [] : [{ id, signIn }]
  })
}

async function addAccounts(
  tx: Prisma.TransactionClient,
  { clock }: StandingPeopleCore,
  practice: Sandbox,
  passwordHash: string,
): Promise<number> {
  const now = clock()
  const { count } = await tx.account.createMany({
    data: sandboxSignIns.map(({ realm, localPart, name }) => ({
      realm,
      email: signInAddress(localPart, practice.slug),
      name,
      passwordHash,
      emailVerifiedAt: now,
      createdAt: now,
      sandboxPracticeId: practice.id,
    })),
    skipDuplicates: true,
  })
  return count
}

/** Gives the people the roles of the table, even if a person has removed one. */
async function giveRoles(
  tx: Prisma.TransactionClient,
  { clock }: StandingPeopleCore,
  practice: Sandbox,
  accounts: readonly StandingAccount[],
): Promise<void> {
  const createdAt = clock()
  const demonstration = await tx.practice.findFirst({
    where: { environment: 'sandbox', purpose: 'demonstration' },
    select: { id: true },
    orderBy: { createdAt: 'asc' },
  })
  await tx.practiceMembership.createMany({
    data: accounts.flatMap(({ id: accountId, signIn }) =>
      signIn.realm === 'practice'
        ? [
            {
              practiceId: practice.id,
              accountId,
              role: signIn.role,
              practitionerId: signIn.practitionerId ?? null,
              createdAt,
            },
          ]
        : [],
    ),
    skipDuplicates: true,
  })
  await tx.patientLogin.createMany({
    data: accounts.flatMap(({ id: accountId, signIn }) => {
      if (signIn.realm !== 'patient') return []
      const practiceIds = [
        practice.id,
        ...(signIn.severalPractices && demonstration ? [demonstration.id] : []),
      ]
      return practiceIds.flatMap((practiceId) =>
        signIn.actsFor.map((acts) => ({ practiceId, accountId, ...acts, createdAt })),
      )
    }),
    skipDuplicates: true,
  })
}

function openPassword(
  { keyring }: Pick<StandingPeopleCore, 'keyring'>,
  practice: Sandbox,
  sealed: Uint8Array,
): string {
  return Buffer.from(keyring.open(sealed, sealContext(practice.id))).toString('utf8')
}

const sealContext = (practiceId: string) => `people-password:${practiceId}`
