/** Every list of the portal gives a page of its rows, however many are stored. */
import { randomUUID } from 'node:crypto'
import type { AppLoadContext, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { beforeAll, expect, test } from 'vitest'
import { pageRows } from '../../server/contract/portal/paging.ts'
import { type TestServices, testServices } from '../../tests/support/services.ts'
import { createTeams } from '../../tests/support/team.ts'
import { loader as agreements } from '../developers/agreements/agreements.route.tsx'
import { loader as appExports } from '../developers/apps/app-exports.route.tsx'
import { loader as apps } from '../developers/apps/apps.route.tsx'
import { loader as keys } from '../developers/keys/keys.route.tsx'
import { loader as bulkLab } from '../developers/lab/bulk-lab.route.tsx'
import { loader as launches } from '../developers/lab/launch.route.tsx'
import { loader as members } from '../developers/members/members.route.tsx'
import { loader as opsAgreements } from '../ops/agreements/agreements.route.tsx'
import { loader as opsDocsFeedback } from '../ops/docs-feedback.route.tsx'
import { loader as opsJobs } from '../ops/jobs.route.tsx'
import { loader as opsKeyLimits } from '../ops/key-limits.route.tsx'
import { loader as opsMail } from '../ops/mail.route.tsx'
import { loader as opsPractices } from '../ops/practices/practices.route.tsx'
import { loader as opsSessions } from '../ops/sessions.route.tsx'
import { loader as opsIncidents } from '../ops/status/incidents.route.tsx'
import { loader as practiceConsole } from '../practice/access/access.route.tsx'
import { loader as practiceExports } from '../practice/access/exports.route.tsx'
import { loader as practiceReview } from '../practice/access/recertification.route.tsx'
import { loader as practiceAgreements } from '../practice/agreements/agreements.route.tsx'
import { loader as practiceInbox } from '../practice/inbox.route.tsx'
import { loader as practiceRequests } from '../practice/requests/requests.route.tsx'
import { loader as practiceSystems } from '../practice/requests/systems.route.tsx'
import { loader as practiceStaff } from '../practice/staff/staff.route.tsx'
import { loader as directory } from '../public/directory.route.tsx'
import { loader as staffConsole } from '../review/console/console.route.tsx'
import { loader as staffInbox } from '../review/inbox.route.tsx'

const stored = pageRows + 10
const practiceCount = 1_000
let services: TestServices
let slug: string
const accounts: Record<'developer' | 'practice' | 'ops' | 'reviewer', string> = {
  developer: '',
  practice: '',
  ops: '',
  reviewer: '',
}
type Who = keyof typeof accounts

const many = <T>(make: (place: number) => T, count = stored) =>
  Array.from({ length: count }, (_, at) => make(at))
const backend = (place: number) => `client-${place}`

beforeAll(async () => {
  services = await testServices()
  const { prisma } = services
  const now = services.clock()
  const later = new Date(now.getTime() + 86_400_000)
  const teams = createTeams(() => services)
  const { organizationId, owner } = await teams.makeTeam()
  ;({ slug } = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } }))
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
  const comment = { page: '/docs/rest', helpful: true, text: 'No sample.', at: now }
  await prisma.docsFeedback.createMany({ data: many(() => ({ ...comment, id: randomUUID() })) })
  await services.database.ownerPool.query(
    `WITH made AS (SELECT graphile_worker.add_job('send-mail', json_build_object('id', n)) AS job
                   FROM generate_series(1, ${stored}) n)
     SELECT count((job).id) FROM made`,
  )
  await services.database.ownerPool.query(
    `UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = 'TypeError: none'`,
  )
}, 120_000)

/** What a page loads for somebody who is signed in. */
async function load(loader: (args: LoaderFunctionArgs) => unknown, who: Who, query = '') {
  const account = await services.prisma.account.findUniqueOrThrow({ where: { id: accounts[who] } })
  const now = services.clock()
  const session = {
    id: randomUUID(),
    accountId: account.id,
    account,
    authenticatedAt: now,
    mfaState: 'done',
    mfaAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  }
  const context = {
    services: { ...services, sessions: { ...services.sessions, read: async () => ({ session }) } },
    correlationId: 'c1',
    clientIp: '203.0.113.9',
  } as unknown as AppLoadContext
  return loader({
    request: new Request(`https://portal.example/page${query}`),
    params: { organization: slug, client: backend(0) },
    context,
  })
}

type Listed = { rows: unknown[]; total: number; pages: number; q: string }

/** Every list in pages that the data holds, wherever it is. */
function listsIn(data: unknown): Listed[] {
  if (typeof data !== 'object' || data === null) return []
  const own = 'total' in data && 'pages' in data && 'rows' in data ? [data as unknown as Listed] : []
  return [...own, ...Object.values(data).flatMap(listsIn)]
}

const lists = [
  ['agreements of a developer', agreements, 'developer', 1],
  ['exports of an app', appExports, 'developer', 1],
  ['apps and registrations', apps, 'developer', 2],
  ['Bulk lab', bulkLab, 'developer', 1],
  ['keys and requests for keys', keys, 'developer', 2],
  ['launches', launches, 'developer', 1],
  ['members and invitations', members, 'developer', 2],
  ['agreements of everybody', opsAgreements, 'ops', 1],
  ['incidents, open and ended', opsIncidents, 'ops', 2],
  ['comments on the documentation', opsDocsFeedback, 'ops', 1],
  ['failed jobs', opsJobs, 'ops', 1],
  ['limits of keys', opsKeyLimits, 'ops', 1],
  ['emails', opsMail, 'ops', 1],
  ['practices', opsPractices, 'ops', 1],
  ['sessions', opsSessions, 'ops', 1],
  ['agreements of a practice', practiceAgreements, 'practice', 1],
  ['inbox of a practice', practiceInbox, 'practice', 1],
  ['inbox of a reviewer', staffInbox, 'reviewer', 1],
  ['what reaches a practice', practiceConsole, 'practice', 1],
  ['keys that a practice reviews', practiceReview, 'practice', 1],
  ['requests to a practice', practiceRequests, 'practice', 1],
  ['exports of a practice', practiceExports, 'practice', 1],
  ['staff and invitations', practiceStaff, 'practice', 2],
  ['systems of a practice', practiceSystems, 'practice', 1],
  ['requests for sandbox keys', staffConsole, 'reviewer', 1],
] as const

test.each(lists)('%s: a page at a time', async (_name, loader, who, count) => {
  const full = listsIn(await load(loader as never, who)).filter(({ total }) => total >= stored)

  expect(full).toHaveLength(count)
  for (const { rows, pages } of full) {
    expect(rows).toHaveLength(pageRows)
    expect(pages).toBeGreaterThan(1)
  }
})

test.each(lists)('%s: a search that finds nothing', async (_name, loader, who) => {
  const found = listsIn(await load(loader as never, who, '?q=no-such-thing&search=no-such-thing'))
  expect(found.filter(({ q }) => q !== '').map(({ total }) => total)).toContain(0)
  expect(found.filter(({ q, total }) => q !== '' && total > 0)).toEqual([])
})

test('the directory with a thousand practices: a page at a time, searched by q, in a few statements', async () => {
  let statements = 0
  const stop = services.store.onStatement(() => {
    statements += 1
  })
  const first = (await load(directory as never, 'developer')) as { practices: unknown[]; listed: Listed }
  stop()
  const one = (await load(directory as never, 'developer', '?q=sampleton+clinic+777')) as typeof first

  expect(first.practices).toHaveLength(pageRows)
  expect(first.listed.total).toBeGreaterThanOrEqual(practiceCount)
  expect(one.practices).toMatchObject([{ name: 'Sampleton Clinic 777' }])
  // Two, told once for every dataset; the thousand share one.
  expect(statements).toBeLessThan(30)
})
