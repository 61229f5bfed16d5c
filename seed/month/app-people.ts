/** The people who use an app at a practice: each has an account, and let the app in when it began. */
import { createHash } from 'node:crypto'
import { fhirTypeNumbers } from '../../server/contract/fhir/numbers.ts'
import { readNames } from '../../server/domain/patients/read-own-patient.ts'
import { who } from './people.ts'
import type { Days, Scene } from './scene.ts'

type Use = Readonly<{
  clientId: string
  practice: Readonly<{ id: string; slug: string; datasetId: number }>
  audience: 'patient' | 'clinician'
  people: number
  since: Date
}>

/** Of patient apps the patients themselves. @returns their references, such as `Patient/1` */
export async function connectPeople(scene: Scene, days: Days, use: Use): Promise<string[]> {
  const { clientId, practice, audience, people, since } = use
  const { prisma, pool } = scene
  const type = audience === 'patient' ? 'Patient' : 'Practitioner'
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM clinical.resource WHERE dataset_id = $1 AND type = $2 AND NOT deleted ORDER BY id LIMIT $3',
    [practice.datasetId, fhirTypeNumbers[type], people],
  )
  const references = rows.map(({ id }) => `${type}/${id}`)
  const names = await readNames(scene, practice.datasetId, references)
  // They sign in with the password of all demonstration people.
  const { passwordHash } = await prisma.account.findFirstOrThrow({ where: { isDemo: true, email: who.theo } })
  const realm = audience === 'patient' ? 'patient' : 'practice'
  for (const { id } of rows) {
    const fhirUser = `${type}/${id}`
    const email = `${id}@${practice.slug}.example`
    const name = names.get(fhirUser) ?? ''
    const { id: accountId } = await prisma.account.upsert({
      where: { realm_email: { realm, email } },
      create: {
        ...{ realm, email, name, passwordHash, isDemo: true },
        ...{ createdAt: since, emailVerifiedAt: since },
      },
      update: {},
    })
    const place = { practiceId: practice.id, accountId, createdAt: since }
    const skip = { skipDuplicates: true } as const
    if (audience === 'patient')
      await prisma.patientLogin.createMany({
        data: [{ ...place, patientId: id, relationship: 'self' }],
        ...skip,
      })
    else
      await prisma.practiceMembership.createMany({
        data: [{ ...place, role: 'clinician', practitionerId: id }],
        ...skip,
      })
    if ((await prisma.grant.count({ where: { clientId, accountId } })) > 0) continue
    const { scope } = await prisma.client.findUniqueOrThrow({ where: { id: clientId } })
    await prisma.grant.create({
      data: {
        ...{ ...place, clientId, audience, scope, fhirUser, activatedAt: since, authenticatedAt: since },
        patientId: audience === 'patient' ? id : null,
        refreshTokens: {
          create: {
            ...{ tokenHash: createHash('sha256').update(`${clientId} ${accountId}`).digest(), scope },
            ...{ createdAt: days.end, expiresAt: new Date(days.end.getTime() + refreshMs) },
          },
        },
      },
    })
  }
  return references
}

const refreshMs = 90 * 86_400_000
