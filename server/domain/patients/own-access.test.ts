/** A patient sees who read their records, and asks for no further access; the practice decides, and the patient is told. */
import { expect, test } from 'vitest'
import { kindOfProblem } from '../../../tests/support/visitor.ts'
import { withheldStack } from '../../../tests/support/withheld.ts'
import type { Actor } from '../actor.ts'

const patientId = 'pt-wren-testwell'

const stack = await withheldStack()
const wren = await stack.smart.createPatientPerson(stack.practiceId, patientId)
const person = await stack.smart.createAdmin(stack.practiceId)
const admin: () => Actor = () => ({
  ...person,
  authenticatedAt: stack.services.clock(),
  mfa: stack.services.clock(),
})

const place = () => ({ practiceId: stack.practiceId, patientId })
const ask = (actor = wren) => stack.services.ownAccess.askForNoMore(place(), actor)
const own = async () => (await stack.services.ownAccess.records(wren))[0]
const open = () => stack.services.withholdRequests.listOpen(stack.practiceId, admin())
const mails = async () =>
  (
    await stack.services.prisma.outboxMail.findMany({
      where: { template: 'withhold-answer' },
      orderBy: { createdAt: 'asc' },
    })
  ).map(({ props }) => (props as { outcome: string }).outcome)

test('a patient sees each key and app that read the chart, what, how often and when, and no looks of people', async () => {
  const { key, prefix } = await stack.rest.issueKey()
  const app = await stack.fhir.issueToken({ audience: 'patient', patientId })
  for (let times = 0; times < 3; times += 1) await stack.rest.call(`/patients/${patientId}`, { key })
  await stack.rest.call('/patients?limit=100', { key })
  await stack.rest.call('/patients/pt-otis-samplewood', { key })
  await stack.fhir.call(`Observation?patient=${patientId}`, { token: app.token })
  await stack.services.disclosures.findPatients({ practiceId: stack.practiceId, text: 'testwell' }, admin())
  await own()
  await stack.services.recorder.flush()

  const readings = await stack.services.ownAccess.readings(place(), wren)

  const byKey = readings.filter(({ recipient }) => recipient.through?.includes(prefix))
  expect(byKey.map(({ count }) => count)).toEqual([4])
  const { name } = await stack.services.prisma.client.findUniqueOrThrow({ where: { id: app.clientId } })
  expect(readings.find(({ recipient }) => recipient.through === name)).toMatchObject({ count: 1 })
  expect(readings).toHaveLength(2)
  expect(readings.every(({ firstAt, lastAt }) => firstAt <= lastAt)).toBe(true)
})

test('an app that the person allowed is marked, because they can stop it', async () => {
  const { client } = await stack.smart.createClient({ scope: 'patient/Patient.rs launch/patient' })
  await stack.services.prisma.grant.create({
    data: {
      ...{ clientId: client.clientId, practiceId: stack.practiceId, audience: 'patient', patientId },
      ...{ accountId: wren.accountId, scope: 'patient/Patient.rs', createdAt: stack.services.clock() },
    },
  })
  await stack.services.recorder.commit({
    access: {
      ...{ at: stack.services.clock(), practiceId: stack.practiceId, principalKind: 'smart_token' },
      ...{ principalId: `Patient/${patientId}`, clientId: client.clientId, action: 'read', patientId },
      ...{ resourceType: 'Patient', count: 1, purpose: 'patient_request', outcome: 'served' },
      correlationId: wren.correlationId,
    },
  })
  const readings = await stack.services.ownAccess.readings(place(), wren)
  expect(readings.filter(({ allowed }) => allowed).map(({ recipient }) => recipient.through)).toEqual([
    client.name,
  ])
})

test('of others, and for others, there is nothing', async () => {
  const other = await stack.smart.createPatientPerson(stack.practiceId, 'pt-otis-samplewood')
  for (const asks of [
    () => stack.services.ownAccess.readings(place(), other),
    () => stack.services.ownAccess.askForNoMore(place(), other),
    () => stack.services.ownAccess.askForNoMore({ practiceId: 'no-id', patientId: '\0' }, wren),
  ])
    expect(await kindOfProblem(asks())).toBe('not_found')
  expect(await stack.services.ownAccess.records(admin())).toEqual([])
  expect(await kindOfProblem(stack.services.withholdRequests.listOpen(stack.practiceId, wren))).toBe(
    'not_found',
  )
})

test('asked once, declined with a reason, asked again, withheld, and ended: the patient is told each time', async () => {
  const { withheldPatients } = stack.services
  const kinds = await Promise.all([kindOfProblem(ask()), kindOfProblem(ask())])
  expect(kinds.sort()).toEqual(['conflict', 'none'])
  expect((await own())?.request?.state).toBe('open')
  const [first] = await open()
  expect(first).toMatchObject({ patientId, askedBy: 'Quinn Placeholder' })
  const practiceId = stack.practiceId
  const decline = (reason: string, by = admin()) =>
    withheldPatients.decline({ practiceId, requestId: first?.id ?? '', reason }, by)
  expect(await kindOfProblem(decline('short'))).toBe('validation')
  expect(await kindOfProblem(decline('Please call us first.', wren))).toBe('not_found')
  await decline('Please call us first.')
  expect(await kindOfProblem(decline('Please call us first.'))).toBe('conflict')
  expect((await own())?.request).toMatchObject({ state: 'declined', answer: 'Please call us first.' })
  expect(await open()).toEqual([])

  await ask()
  const end = await stack.withhold(patientId)
  expect(await own()).toMatchObject({ withheld: true, request: { state: 'withheld' } })
  expect((await own())?.name).not.toBeNull()
  expect(await kindOfProblem(ask())).toBe('conflict')
  expect(await open()).toEqual([])
  await end()
  expect(await own()).toMatchObject({ withheld: false })
  expect(await mails()).toEqual(['declined', 'withheld', 'ended'])
})
