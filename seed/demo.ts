/**
 * Creates the demonstration accounts and sample apps through the domain services. A second run only creates what is missing.
 * Every installation gets its own credentials for the apps, in a file that only its owner can read.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as fhir from 'fhir/r4.js'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { fhirTypeNumbers } from '../server/contract/fhir/registry.ts'
import type { NewClient } from '../server/domain/clients/client-types.ts'
import type { Services } from '../server/services.ts'
import { type DemoPerson, demoPeople, type sampleAppIds, writeSecret } from './demo-people.ts'

type DemoServices = Pick<Services, 'accounts' | 'organizations' | 'sandboxes' | 'prisma' | 'clock'>

/** @param password of all accounts */
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
      staffRole: person.staffRole,
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
  const actor = actorOf(clock, accountId)
  const existing = (await organizations.listFor(accountId)).find((each) => each.name === name)
  const { id } = existing ?? (await organizations.create({ name }, actor))
  await sandboxes.ensure(id, { writable: false })
}

async function joinPractices({ prisma, clock }: DemoServices, person: DemoPerson, accountId: string) {
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

/** Finds the RelatedPerson of the parent's name in the child's chart. */
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

type SampleApp = Pick<
  NewClient,
  'audience' | 'authentication' | 'name' | 'description' | 'redirectUris' | 'launchUrl' | 'scope'
> & {
  clientId: (typeof sampleAppIds)[number]
}

const redirectUris = ['http://localhost:4567/callback', 'http://127.0.0.1/callback']

const sampleApps: readonly SampleApp[] = [
  {
    clientId: 'sample-patient-app',
    audience: 'patient',
    authentication: 'none',
    name: 'Larkfield Health Diary',
    description: 'Shows patients their own record. A public app: it runs in a browser and keeps no secret.',
    redirectUris,
    scope: 'openid fhirUser launch/patient offline_access online_access patient/*.rs patient/*.read',
  },
  {
    clientId: 'sample-clinician-app',
    audience: 'clinician',
    authentication: 'client_secret_basic',
    name: 'Larkfield Growth Chart',
    description: 'Opened by clinicians from the chart. A confidential app with a secret on its server.',
    redirectUris,
    launchUrl: 'http://localhost:4567/launch',
    scope:
      'openid fhirUser launch launch/patient launch/encounter offline_access online_access patient/*.rs user/*.rs patient/*.read user/*.read',
  },
  {
    clientId: 'sample-backend-system',
    audience: 'backend',
    authentication: 'private_key_jwt',
    name: 'Larkfield Population Report',
    description: 'Exports the practice at night. A backend system that signs its requests.',
    scope: 'system/*.rs system/*.read',
  },
]

/** The practice that allows the sample apps. */
const practiceSlug = 'sandpiper-demonstration'

type Credential = { secret?: string; privateJwk?: JWK }
type Credentials = Record<string, Credential>

type DemoAppServices = Pick<
  Services,
  'clients' | 'backendAuthorizations' | 'organizations' | 'prisma' | 'clock'
>

/** Creates the sample apps. A second run only creates what is missing. */
export async function seedSampleApps(services: DemoAppServices, folder: string): Promise<void> {
  const { prisma } = services
  const developer = demoPeople.find(({ organization }) => organization)
  const admin = demoPeople.find(({ role }) => role === 'practice admin')
  const organization = await prisma.organization.findFirst({
    where: {
      name: developer?.organization ?? '',
      createdBy: { email: developer?.email ?? '', isDemo: true },
    },
  })
  const practiceAdmin = await prisma.account.findFirst({
    where: { realm: 'practice', email: admin?.email ?? '', isDemo: true },
  })
  if (!organization || !practiceAdmin) return
  const actor = actorOf(services.clock, organization.createdById)
  const credentials = await readCredentials(folder)
  for (const app of sampleApps) await seedApp(app)
  await authorizeSystem(services, actor, actorOf(services.clock, practiceAdmin.id))

  async function seedApp(app: SampleApp): Promise<void> {
    const known = credentials[app.clientId]
    const exists = (await prisma.client.count({ where: { id: app.clientId } })) > 0
    const keys = app.authentication === 'private_key_jwt' ? await keysOf(known) : null
    if (!exists) {
      const { secret } = await services.clients.create(
        {
          ...app,
          organizationId: organization?.id ?? null,
          environment: 'sandbox',
          everyPractice: true,
          ...(keys && { jwks: { keys: [keys.publicJwk as Record<string, unknown>] } }),
        },
        actor,
      )
      if (secret) await remember(app.clientId, { secret })
      if (keys) await remember(app.clientId, { privateJwk: keys.privateJwk })
      return
    }
    if (app.authentication === 'client_secret_basic' && !known?.secret) await renewSecret(app.clientId)
    if (keys && !known?.privateJwk) {
      await prisma.client.update({
        where: { id: app.clientId },
        data: { jwks: { keys: [{ ...keys.publicJwk }] } as object },
      })
      await remember(app.clientId, { privateJwk: keys.privateJwk })
    }
  }

  /** Replaces a secret whose file was lost. */
  async function renewSecret(clientId: string): Promise<void> {
    const { secrets } = await services.clients.get(clientId, actor)
    for (const { id } of secrets) await services.clients.revokeSecret({ clientId, secretId: id }, actor)
    const answer = await services.clients.addSecret(clientId, actor)
    if (answer.kind !== 'added') throw new Error(`no secret for ${clientId}: ${answer.kind}`)
    await remember(clientId, { secret: answer.secret })
  }

  async function remember(clientId: string, credential: Credential): Promise<void> {
    credentials[clientId] = credential
    await writeSecret(folder, credentialsFile, credentials)
  }
}

async function authorizeSystem(
  { backendAuthorizations, prisma }: DemoAppServices,
  developer: ReturnType<typeof actorOf>,
  admin: ReturnType<typeof actorOf>,
): Promise<void> {
  const clientId = 'sample-backend-system'
  const existing = await prisma.practiceSystemAuthorization.findFirst({ where: { clientId } })
  const { id, version, state } =
    existing ??
    (await backendAuthorizations.request(
      {
        clientId,
        practiceSlug,
        scope: 'system/*.rs',
        purpose: 'Reports on the whole practice, for the demonstration.',
      },
      developer,
    ))
  if (state === 'requested') await backendAuthorizations.grant({ id, version }, admin)
}

/** @returns the key pair from the file, or a new one */
async function keysOf(known: Credential | undefined): Promise<{ publicJwk: JWK; privateJwk: JWK }> {
  const privateJwk = known?.privateJwk ?? (await makeKey())
  const { kty, crv, x, y, kid } = privateJwk
  return { privateJwk, publicJwk: { kty, crv, x, y, kid, alg: 'ES384', use: 'sig' } as JWK }
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES384', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'ES384' }
}

async function readCredentials(folder: string): Promise<Credentials> {
  try {
    return JSON.parse(await readFile(join(folder, credentialsFile), 'utf8')) as Credentials
  } catch {
    return {} // none yet, or cut short by a kill: new ones are made
  }
}

const credentialsFile = 'demo-apps.json'

function actorOf(clock: () => Date, accountId: string) {
  return {
    accountId,
    sessionId: 'seed',
    ip: '127.0.0.1',
    userAgent: 'seed',
    correlationId: crypto.randomUUID(),
    authenticatedAt: clock(),
    mfa: 'not_asked' as const,
  }
}
