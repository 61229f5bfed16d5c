/** The people browser: what its pages show, and who may see it. */
import { expect, test } from 'vitest'
import { Problem } from '../../server/contract/http/problems.ts'
import { withCore } from '../../server/domain/core.ts'
import * as verbs from '../../server/lab/sandbox/people.ts'
import { restStack } from '../support/rest.ts'
import { createLabs } from '../support/sandbox-lab.ts'

const wren = 'pt-wren-testwell'
const { makeLab, fhir, writePatient, teams } = createLabs(() => stack)

const stack = await restStack()
const lab = await makeLab()

const chartOf = (patientId: string, of = lab) =>
  stack.services.sandbox.people.chart({ organizationId: of.organizationId, patientId }, of.owner.actor)

/** The rows of the practice's record of access that the portal wrote, oldest first. */
async function looks(of = lab) {
  const { rows } = await stack.services.pool.query(
    `SELECT principal_kind, principal_id, action, resource_type, patient_id, count FROM log.phi_audit
     WHERE practice_id = $1 AND principal_kind = 'session' ORDER BY id`,
    [of.practiceId],
  )
  return rows
}

test('people are listed as the REST operation lists them', async () => {
  const listed = (query: object) =>
    stack.services.sandbox.people.list(
      lab.organizationId,
      { limit: 25, offset: 0, ...query },
      lab.owner.actor,
    )

  for (const query of [{}, { limit: 3, offset: 2 }, { q: 'testw' }, { dob: '1971' }, { mrn: 'SYN-004217' }]) {
    const parameters = Object.entries(query).map(([name, value]) => [name, String(value)])
    const answer = await stack.call(`/patients?${new URLSearchParams(parameters)}`, { key: lab.key })
    expect(await listed(query)).toEqual(answer.body)
  }
})

test('a chart holds what a FHIR search with `patient` finds', async () => {
  const token = await lab.systemToken()
  const chart = await chartOf(wren)
  const types = {
    problems: 'Condition',
    medications: 'MedicationRequest',
    allergies: 'AllergyIntolerance',
    immunizations: 'Immunization',
    procedures: 'Procedure',
    visits: 'Encounter',
    documents: 'DocumentReference',
  } as const

  for (const [part, type] of Object.entries(types)) {
    const { body } = await fhir(lab.slug, `${type}?patient=${wren}&_count=50`, token)
    const list = chart.lists[part as keyof typeof types]
    expect(list.total, part).toBe(body.total)
    expect(list.items.map(({ id }) => id)).toEqual(
      body.entry.map(({ resource }: { resource: { id: string } }) => resource.id),
    )
  }
  expect(chart.lists.vitalSigns.items.map(({ detail }) => detail)).toContainEqual(
    expect.stringMatching(/^\d+ \S+, \d+ \S+$/),
  )
  expect(chart.lists.laboratory.total).toBeGreaterThan(3)
})

test('a person who is not there has no chart', async () => {
  for (const odd of ['nobody', 'a/b', '\0', '', 'x'.repeat(100)])
    await expect(chartOf(odd)).rejects.toMatchObject({ kind: 'not_found' })
})

test('who looks is in the practice’s record of access before anything is shown, and nothing is shown without', async () => {
  const other = await makeLab()
  const { people } = stack.services.sandbox
  const { organizationId, owner } = other
  const written = await writePatient(other)

  await people.list(organizationId, { q: 'zzyzx', limit: 25, offset: 0 }, owner.actor)
  const chart = await chartOf(written.id, other)

  const who = { principal_kind: 'session', principal_id: owner.accountId, resource_type: 'Patient' }
  expect(chart.patient.mrn).toBe(written.mrn)
  expect(await looks(other)).toEqual(
    ['search', 'view_chart'].map((action) => ({
      ...who,
      action,
      patient_id: written.id,
      count: 1,
    })),
  )
  const full = new Problem('unavailable', { detail: 'recorder queue is full' })
  const { core } = stack.services
  const recorder = { ...core.recorder, commit: () => Promise.reject(full) }
  const blind = withCore({ ...core, recorder }, verbs)
  const asked = { organizationId, patientId: written.id }
  await expect(blind.list(organizationId, { limit: 25, offset: 0 }, owner.actor)).rejects.toBe(full)
  await expect(blind.chart(asked, owner.actor)).rejects.toBe(full)
})

test('nobody else sees a sandbox’s people, and no production practice is read', async () => {
  const { people } = stack.services.sandbox
  const viewer = await teams.addMember(lab.organizationId, 'viewer')
  const stranger = await teams.makePerson()
  const query = { limit: 25, offset: 0 }
  const office = await teams.makeTeam()
  const harbor = await stack.services.prisma.practice.findUniqueOrThrow({ where: { slug: 'harbor-family' } })
  await stack.services.prisma.practice.update({
    where: { id: harbor.id },
    data: { organizationId: office.organizationId },
  })

  await expect(people.list(lab.organizationId, query, viewer.actor)).rejects.toMatchObject({
    kind: 'forbidden',
  })
  await expect(people.list(lab.organizationId, query, stranger.actor)).rejects.toMatchObject({
    kind: 'not_found',
  })
  const datasets = new Set<number>()
  const stop = stack.services.store.onStatement(({ datasetId }) => datasets.add(datasetId))
  await expect(people.list(office.organizationId, query, office.owner.actor)).rejects.toMatchObject({
    kind: 'not_found',
  })
  for (const patientId of [wren, 'pt-juno-testwell'])
    await expect(
      people.chart({ organizationId: office.organizationId, patientId }, office.owner.actor),
    ).rejects.toMatchObject({ kind: 'not_found' })
  stop()
  expect(harbor.environment).toBe('production')
  expect([...datasets]).toEqual([])
})
