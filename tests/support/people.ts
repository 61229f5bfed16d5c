/** Accounts that are signed in, and practices: what the other builders are made of. */
import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import type { Actor } from '../../server/domain/actor.ts'
import type { Services } from '../../server/services.ts'

type Base = Pick<Services, 'prisma' | 'clock'>
type Data<Input> = Omit<Partial<Input>, 'realm'>

/** An account with a confirmed address, and a password that nobody knows. */
export function addAccount(
  { prisma, clock }: Base,
  realm: Prisma.AccountUncheckedCreateInput['realm'],
  data: Data<Prisma.AccountUncheckedCreateInput> = {},
) {
  const now = clock()
  return prisma.account.create({
    data: {
      realm,
      email: `${randomUUID()}@people.example`,
      name: 'Quinn Placeholder',
      passwordHash: 'x',
      emailVerifiedAt: now,
      createdAt: now,
      ...data,
    },
  })
}

/** Its session, with both proofs given now. */
export function addSession(
  { prisma, clock }: Base,
  account: { id: string; realm: Prisma.SessionUncheckedCreateInput['realm'] },
) {
  const now = clock()
  return prisma.session.create({
    data: {
      idHash: randomUUID(),
      realm: account.realm,
      accountId: account.id,
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + 1_000 * 86_400_000),
      ip: '203.0.113.9',
      userAgent: 'vitest',
      mfaAt: now,
    },
  })
}

/** As a signed-in person is known to the domain, with both proofs given at each call. */
export function signedIn(
  services: () => Pick<Services, 'clock'>,
  accountId: string,
  sessionId: string = randomUUID(),
) {
  const context = { ip: '203.0.113.9', userAgent: 'vitest', correlationId: randomUUID() }
  return (): Actor => {
    const now = services().clock()
    return { ...context, accountId, sessionId, authenticatedAt: now, mfa: now }
  }
}

/** An office with FHIR, on the records of the template. */
export function addPractice(
  { prisma, clock }: Base,
  data: Partial<Prisma.PracticeUncheckedCreateInput> = {},
) {
  return prisma.practice.create({
    data: {
      slug: `office-${randomUUID().slice(0, 8)}`,
      name: 'Samplewood Family Practice',
      environment: 'production',
      fhirEnabled: true,
      inDirectory: false,
      purpose: 'office',
      datasetId: 1,
      createdAt: clock(),
      ...data,
    },
  })
}
