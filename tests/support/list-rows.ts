/** More rows of everything that the portal lists than a page of a list has. */
import { randomUUID } from 'node:crypto'
import { pageRows } from '../../server/contract/portal/paging.ts'
import type { TestServices } from './services.ts'
import { createTeams } from './team.ts'
import { addWithheldRows } from './withheld-rows.ts'

export const stored = pageRows + 10
export const practiceCount = 1_000
export type Who = 'developer' | 'practice' | 'ops' | 'reviewer'

const many = <T>(make: (place: number) => T, count = stored) =>
  Array.from({ length: count }, (_, at) => make(at))
export const backend = (place: number) => `client-${place}`

/** @returns the organization, and somebody of each realm */
export async function storeRows(
  services: TestServices,
): Promise<{ slug: string; accounts: Record<Who, string> }> {
  const accounts: Record<Who, string> = { developer: '', practice: '', ops: '', reviewer: '' }
  const { prisma } = services
  const now = services.clock()
  const later = new Date(now.getTime() + 86_400_000)
  const teams = createTeams(() => services)
  const { organizationId, owner } = await teams.makeTeam()
  const { slug } = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })
  const person = { passwordHash: 'x', emailVerifiedAt: now, createdAt: now }
  const make = async (who: Who, more: object) => {
    const email = `${who}@samplewood.example`
    const data = { ...person, realm: 'staff' as const, name: 'Kim Testwell', email, ...more }
    accounts[who] = (await prisma.account.create({ data })).id
  }
  accounts.developer = owner.accountId
  await make('practice', { realm: 'practice' })
  await make('ops', { staffRole: 'ops' })
  await make('reviewer', { staffRole: 'reviewer' })
  const { id: practiceId, datasetId } = await prisma.practice.findFirstOrThrow({
    where: { environment: 'production' },
  })
  await addWithheldRows(services, { practiceId, by: accounts.practice, count: stored })
  await prisma.practice.createMany({
    data: many(
      (place) => ({
        slug: `sampleton-${place}`,
        name: `Sampleton Clinic ${place}`,
        environment: 'production' as const,
        fhirEnabled: true,
        inDirectory: true,
        purpose: 'practice',
        datasetId,
        createdAt: now,
      }),
      practiceCount,
    ),
  })
  const people = many((place) => ({ ...person, id: randomUUID(), name: `Wren ${place}`, place }))
  await prisma.account.createMany({
    data: people.flatMap(({ place, ...each }) => [
      { ...each, realm: 'developer' as const, email: `d${place}@samplewood.example` },
      { ...each, id: randomUUID(), realm: 'practice' as const, email: `p${place}@samplewood.example` },
    ]),
  })
  await prisma.membership.createMany({
    data: people.map(({ id }) => ({ organizationId, accountId: id, role: 'viewer', createdAt: now })),
  })
  const staff = await prisma.account.findMany({ where: { realm: 'practice', name: { startsWith: 'Wren ' } } })
  await prisma.practiceMembership.createMany({
    data: [...staff.map(({ id }) => id), accounts.practice].map((accountId) => ({
      practiceId,
      accountId,
      role: 'admin' as const,
      createdAt: now,
    })),
  })
  await prisma.practiceInvitation.createMany({
    data: many((place) => ({
      practiceId,
      email: `i${place}@samplewood.example`,
      role: 'admin' as const,
      state: 'invited',
      invitedById: accounts.practice,
      createdAt: now,
      expiresAt: later,
    })),
  })
  await prisma.invitation.createMany({
    data: many((place) => ({
      organizationId,
      email: `i${place}@samplewood.example`,
      role: 'viewer' as const,
      state: 'invited',
      invitedById: owner.accountId,
      createdAt: now,
      expiresAt: later,
    })),
  })
  const keyRows = many((place) => ({
    id: randomUUID(),
    name: `Import ${place}`,
    prefix: `svc_t${String(place).padStart(7, '0')}`,
    secretHash: Buffer.from(`hash ${place}`),
    level: 'read_only' as const,
    environment: 'production' as const,
    practiceId,
    organizationId,
    createdById: owner.accountId,
    createdAt: now,
    expiresAt: later,
  }))
  await prisma.apiKey.createMany({ data: keyRows })
  await prisma.keyLimitGrant.createMany({
    data: keyRows.map(({ id }) => ({
      keyId: id,
      burst: 20,
      sustained: 600,
      reason: 'A reason of some length.',
      grantedById: accounts.ops,
      createdAt: now,
    })),
  })
  await prisma.sandboxKeyRequest.createMany({
    data: many((place) => ({
      organizationId,
      requestedById: owner.accountId,
      name: `Request ${place}`,
      projectDescription: 'A project',
      technicalContact: 'kim@samplewood.example',
      level: 'read_only' as const,
      termsVersion: '1',
      termsSha256: 'x',
      state: 'manual_review',
      idempotencyKey: randomUUID(),
      flags: ['real_data'],
      createdAt: now,
      updatedAt: now,
    })),
  })
  await prisma.productionKeyRequest.createMany({
    data: ['sponsor_invited', 'active'].flatMap((state) =>
      many((place) => ({
        organizationId,
        requestedById: owner.accountId,
        practiceId,
        practiceSlug: 'sampleton',
        state,
        name: `Nightly ${place}`,
        level: 'read_only' as const,
        termDays: 90,
        createdAt: now,
        updatedAt: now,
      })),
    ),
  })
  await prisma.client.createMany({
    data: many((place) => ({
      id: backend(place),
      appId: randomUUID(),
      organizationId,
      environment: 'sandbox' as const,
      audience: 'backend' as const,
      authentication: 'private_key_jwt' as const,
      name: `Tidepath ${place}`,
      redirectUris: [],
      scope: 'system/Patient.rs',
      createdAt: now,
    })),
  })
  await prisma.practiceSystemAuthorization.createMany({
    data: many((place) => ({
      practiceId,
      clientId: backend(place),
      state: 'requested',
      scope: 'system/Patient.rs',
      purpose: 'A purpose',
      requestedAt: now,
    })),
  })
  await prisma.bulkExport.createMany({
    data: many(() => ({
      practiceId,
      clientId: backend(0),
      state: 'failed',
      manifest: '{}',
      base: 'https://fhir.example',
      request: 'https://fhir.example/$export',
      plan: [],
      createdAt: now,
    })),
  })
  await prisma.launchSimulation.createMany({
    data: many(() => ({
      organizationId,
      practiceId,
      clientId: backend(0),
      kind: 'backend',
      createdById: owner.accountId,
      createdAt: now,
      expiresAt: later,
    })),
  })
  await prisma.registration.createMany({
    data: many((place) => ({
      kind: 'app',
      organizationId,
      createdById: owner.accountId,
      name: `Tidepath ${place}`,
      state: 'draft',
      form: {},
      createdAt: now,
      updatedAt: now,
    })),
  })
  await prisma.agreement.createMany({
    data: many(() => ({
      kind: 'baa',
      organizationId,
      practiceId,
      state: 'offered',
      createdAt: now,
      activeAt: now,
    })),
  })
  await prisma.incident.createMany({
    data: [null, now].flatMap((endedAt) =>
      many((place) => ({
        id: randomUUID(),
        kind: 'incident',
        title: `Slow answers ${place}`,
        stage: endedAt ? 'resolved' : 'investigating',
        startsAt: now,
        endedAt,
        createdAt: now,
        createdById: accounts.ops,
      })),
    ),
  })
  await prisma.session.createMany({
    data: many((place) => ({
      idHash: `hash ${place}`,
      realm: 'developer' as const,
      accountId: owner.accountId,
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: later,
      ip: '203.0.113.9',
      userAgent: 'vitest',
    })),
  })
  await prisma.outboxMail.createMany({
    data: many((place) => ({
      template: 'verify-email',
      toAddress: `m${place}@samplewood.example`,
      props: {},
      messageId: `<${place}@samplewood.example>`,
      state: 'failed',
      nextAttemptAt: now,
      createdAt: now,
    })),
  })
  const yesterday = new Date(now.getTime() - 86_400_000)
  const alerted = { practiceId, subjectKind: 'app', day: yesterday }
  const counts = { refusals: {}, networks: {}, hours: {}, types: {}, lastAt: null }
  const totals = {
    calls: 1,
    served: 1,
    notFound: 0,
    browserCalls: 0,
    patients: 0,
    peakPatients: 0,
    exports: 0,
  }
  await prisma.accessCounted.create({ data: { id: 1, through: yesterday } })
  await prisma.accessDay.createMany({
    data: many((place) => ({ ...alerted, subjectId: `app-${place}`, figures: { ...counts, ...totals } })),
  })
  await prisma.accessAlert.createMany({
    data: many((place) => ({
      ...{ ...alerted, subjectId: `app-${place}`, name: `App ${place}`, organizationName: 'Tidepath' },
      ...{ rule: 'volume', explanation: '900 calls. Usual: 100.', createdAt: now },
    })),
  })
  await services.database.ownerPool.query(
    `WITH made AS (SELECT graphile_worker.add_job('send-mail', json_build_object('id', n)) AS job
                   FROM generate_series(1, ${stored}) n)
     SELECT count((job).id) FROM made`,
  )
  await services.database.ownerPool.query(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'TypeError: none'`,
  )
  return { slug, accounts }
}
