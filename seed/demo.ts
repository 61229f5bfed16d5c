/**
 * Makes the demonstration sign-ins, through the domain services that make everybody's. Run again it makes
 * nothing twice and mends what is missing.
 */
import { randomUUID } from 'node:crypto'
import type { Services } from '../server/services.ts'
import { type DemoPerson, demoPeople } from './demo-people.ts'

export type DemoServices = Pick<Services, 'accounts' | 'organizations' | 'sandboxes' | 'prisma' | 'clock'>

/** @param password the same for all of them. */
export async function seedDemoPeople(services: DemoServices, password: string): Promise<void> {
  for (const person of demoPeople) {
    const account = await services.accounts.createDemoAccount({
      realm: person.realm,
      email: person.email,
      name: person.name,
      password,
      ...(person.staffRole ? { staffRole: person.staffRole } : {}),
    })
    if (person.organization) await foundOrganization(services, person.organization, account.id)
    await joinPractices(services, person, account.id)
  }
}

async function foundOrganization(
  { organizations, sandboxes, clock }: DemoServices,
  name: string,
  accountId: string,
) {
  const actor = {
    accountId,
    sessionId: 'seed',
    ip: '127.0.0.1',
    userAgent: 'seed',
    correlationId: randomUUID(),
    authenticatedAt: clock(),
  }
  const existing = (await organizations.listFor(accountId)).find((each) => each.name === name)
  const { id } = existing ?? (await organizations.create({ name }, actor))
  await sandboxes.ensure(id, { writable: false })
}

async function joinPractices(
  { prisma, clock }: DemoServices,
  person: DemoPerson,
  accountId: string,
): Promise<void> {
  const slugs = [...(person.practiceRoles ?? []), ...(person.patients ?? [])].map((each) => each.slug)
  if (slugs.length === 0) return
  const rows = await prisma.practice.findMany({
    where: { slug: { in: slugs } },
    select: { id: true, slug: true },
  })
  const practiceIds = new Map(rows.map((row) => [row.slug, row.id]))
  const at = <Row extends { slug: string }>(row: Row) => {
    const practiceId = practiceIds.get(row.slug)
    return practiceId === undefined ? [] : [{ ...row, practiceId, accountId, createdAt: clock() }]
  }
  await prisma.practiceMembership.createMany({
    data: (person.practiceRoles ?? []).flatMap(at).map(({ slug: _, ...row }) => row),
    skipDuplicates: true,
  })
  await prisma.patientLogin.createMany({
    data: (person.patients ?? []).flatMap(at).map(({ slug: _, ...row }) => row),
    skipDuplicates: true,
  })
}
