/**
 * Makes the demonstration sign-ins, through the domain services that make everybody's. Run again it makes
 * nothing twice and mends what is missing.
 */
import { randomUUID } from 'node:crypto'
import type * as fhir from 'fhir/r4.js'
import { fhirTypeNumbers } from '../server/contract/fhir/registry.ts'
import type { Services } from '../server/services.ts'
import { type DemoPerson, demoPeople } from './demo-people.ts'

type DemoServices = Pick<Services, 'accounts' | 'organizations' | 'sandboxes' | 'prisma' | 'clock'>

/** @param password the same for all of them. */
export async function seedDemoPeople(
  services: DemoServices,
  password: string,
  people: readonly DemoPerson[] = demoPeople,
): Promise<void> {
  for (const person of people) {
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
    mfa: 'not_asked' as const,
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
  for (const { slug: _, ...row } of (person.patients ?? []).flatMap(at)) {
    const relatedPersonId =
      row.relationship === 'self' ? null : await findRelatedPerson(prisma, { ...row, name: person.name })
    await prisma.patientLogin.upsert({
      where: {
        practiceId_accountId_patientId: { practiceId: row.practiceId, accountId, patientId: row.patientId },
      },
      create: { ...row, relatedPersonId },
      update: { relatedPersonId },
    })
  }
}

/** Who a parent is in the child's chart: the RelatedPerson of that name, when there is one. */
async function findRelatedPerson(
  prisma: DemoServices['prisma'],
  { practiceId, patientId, name }: { practiceId: string; patientId: string; name: string },
): Promise<string | null> {
  const rows = await prisma.$queryRaw<{ id: string; content: string }[]>`
    SELECT r.id, r.content FROM clinical.resource r JOIN portal.practice p ON p.dataset_id = r.dataset_id
    WHERE p.id = ${practiceId}::uuid AND r.type = ${fhirTypeNumbers.RelatedPerson} AND NOT r.deleted
      AND r.patient_id = ${patientId} ORDER BY r.id`
  const found = rows.find(({ content }) => {
    const { name: names = [] } = JSON.parse(content) as fhir.RelatedPerson
    return names.some(({ given = [], family }) => [...given, family].join(' ') === name)
  })
  return found?.id ?? null
}
