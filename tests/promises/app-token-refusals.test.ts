/** The people, records, scopes and apps for which the portal issues no token, and the reasons it gives. */
import { expect, test } from 'vitest'
import { appTokensPerHour } from '../../server/contract/lab/app-tokens.ts'
import { take } from '../../server/domain/accounts/throttle.ts'
import { appTokenSupport, ines, wren } from '../support/app-tokens.ts'
import { restStack } from '../support/rest.ts'

const { begin, makeApp, get, statusOf, makeLab, teams } = appTokenSupport(() => stack)

const stack = await restStack()
const lab = await begin()

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => ({ kind: 'none' }),
    ({ kind, field, message }) => ({ kind, field, message }),
  )

test.each([
  ['patient/Goal.rs', 'The app is not registered for patient/Goal.rs.'],
  ['patient/*.rs', 'The app is not registered for patient/*.rs.'],
  ['patient/Patient.rs offline_access', 'This token can’t be refreshed. Remove offline_access.'],
  ['launch patient/Patient.rs', 'Only a launch from a chart provides this. Remove launch.'],
  ['patient/Nothing.rs', 'patient/Nothing.rs: This server doesn’t have this resource type.'],
  ['patient/Patient.cud', 'patient/Patient.cud: This server is read-only: it grants r and s, no writing.'],
  ['launch/patient', 'Enter a scope for at least one resource type.'],
  [' ', 'Enter a scope for at least one resource type.'],
])('no token with the scope %j: %s', async (scope, message) => {
  const registered = 'launch launch/patient offline_access patient/Patient.rs patient/Condition.rs'
  const { clientId } = await makeApp('public', { scope: registered })

  expect(await refusal(get(clientId, { ...wren, scope }))).toEqual({
    kind: 'validation',
    field: 'scope',
    message,
  })
})

test('no token for a type that the sandbox practice does not release', async () => {
  const { clientId } = await makeApp('public')
  const { prisma } = stack.services
  const where = { id: lab.practiceId }
  await prisma.practice.update({ where, data: { fhirTypes: ['Patient'] } })

  const answer = await refusal(get(clientId, { ...wren, scope: 'patient/Condition.rs' }))
  const { scope } = await get(clientId, { ...wren, scope: 'patient/*.rs' })
  await prisma.practice.update({ where, data: { fhirTypes: [] } })

  expect(answer).toMatchObject({
    kind: 'validation',
    field: 'scope',
    message: expect.stringContaining('this practice allows'),
  })
  expect(scope).toBe('patient/Patient.rs')
})

test.each([
  ['nobody', null],
  ['wren.testwell', 'pt-juno-testwell'],
  ['wren.testwell', null],
  ['ines.placeholder', null],
  ['', null],
  [null, null],
])('no token for the person %j and the record %j', async (person, patient) => {
  const { clientId } = await makeApp('public')

  expect(await refusal(get(clientId, { person, patient, scope: 'patient/*.rs' }))).toMatchObject({
    kind: 'validation',
    field: 'person',
  })
})

test('no token for a person of another practice', async () => {
  const other = await makeLab()
  const { clientId } = await makeApp('public')

  const person = `wren.testwell@${other.slug}.people.example`
  expect(await refusal(get(clientId, { ...wren, person, scope: 'patient/*.rs' }))).toEqual({
    kind: 'validation',
    field: 'person',
    message: 'Choose a person who can sign in to your own sandbox.',
  })
})

test('no token for a disabled account', async () => {
  const { clientId } = await makeApp('public')
  const { prisma, clock } = stack.services
  const where = { realm: 'patient' as const, email: `ash.mockley@${lab.slug}.people.example` }
  await prisma.account.updateMany({ where, data: { disabledAt: clock() } })

  const request = { person: 'ash.mockley', patient: 'pt-ash-mockley', scope: 'patient/*.rs' }
  expect(await refusal(get(clientId, request))).toMatchObject({ kind: 'validation', field: 'person' })
})

test('no clinician token for patient scopes without a patient, or for an unknown patient', async () => {
  const { clientId } = await makeApp('clinician')

  expect(await refusal(get(clientId, { ...ines, scope: 'patient/*.rs' }))).toMatchObject({
    kind: 'validation',
    field: 'patient',
  })
  const unknown = { person: 'ines.placeholder', patient: 'pt-nobody', scope: 'user/*.rs' }
  expect(await refusal(get(clientId, unknown))).toMatchObject({ kind: 'validation', field: 'patient' })
})

test('no token for a suspended, production or removed app, or while FHIR is off', async () => {
  const { prisma, clock } = stack.services
  const request = { ...wren, scope: 'patient/*.rs' }
  const { clientId } = await makeApp('public')
  const { accessToken } = await get(clientId, request)
  const where = { id: lab.practiceId }

  await prisma.practice.update({ where, data: { fhirEnabled: false } })
  expect(await refusal(get(clientId, request))).toMatchObject({
    kind: 'conflict',
    message: 'FHIR is turned off at your sandbox practice. Turn it on first.',
  })
  await prisma.practice.update({ where, data: { fhirEnabled: true, fhirAudiences: ['backend'] } })
  expect(await refusal(get(clientId, request))).toMatchObject({ kind: 'conflict' })
  await prisma.practice.update({ where, data: { fhirAudiences: ['patient', 'clinician', 'backend'] } })

  const suspend = (suspendedAt: Date | null) =>
    prisma.client.update({ where: { id: clientId }, data: { suspendedAt } })
  await suspend(clock())
  expect(await refusal(get(clientId, request))).toMatchObject({
    kind: 'conflict',
    message: 'This app is stopped. It can’t get tokens until it is resumed.',
  })
  expect(await statusOf('Patient/pt-wren-testwell', accessToken)).toBe(401)
  await suspend(null)

  await prisma.client.update({ where: { id: clientId }, data: { environment: 'production' } })
  expect(await refusal(get(clientId, request))).toMatchObject({
    kind: 'conflict',
    message: 'This is a production app. Only sandbox apps get tokens in the portal.',
  })
  await prisma.client.update({
    where: { id: clientId },
    data: { environment: 'sandbox', removedAt: clock() },
  })
  expect(await refusal(get(clientId, request))).toMatchObject({ kind: 'not_found' })
})

test('no token for a viewer, a stranger, a member who left, or an app of another organization', async () => {
  const { prisma } = stack.services
  const request = { ...wren, scope: 'patient/*.rs' }
  const { clientId } = await makeApp('public')
  const other = await makeLab()
  const viewer = await teams.addMember(lab.organizationId, 'viewer')
  const left = await teams.addMember(lab.organizationId, 'developer')
  await get(clientId, request, left)
  await prisma.membership.deleteMany({ where: { accountId: left.accountId } })
  const before = await prisma.accessToken.count()

  expect(await refusal(get(clientId, request, viewer))).toMatchObject({ kind: 'forbidden' })
  for (const work of [
    () => get(clientId, request, other.owner),
    () => get(clientId, request, left),
    () => get(clientId, request, other.owner, other.organizationId),
    () => get('nobodys-app', request),
  ])
    expect(await refusal(work())).toMatchObject({ kind: 'not_found' })
  expect(await prisma.accessToken.count()).toBe(before)
})

test(`not more than ${appTokensPerHour} tokens an hour for an organization`, async () => {
  const { clientId } = await makeApp('public')
  const { core, clock } = stack.services
  stack.services.advance(3_600_000 - (clock().getTime() % 3_600_000))
  const request = { ...wren, scope: 'patient/*.rs' }
  await get(clientId, request)
  for (let taken = 1; taken < appTokensPerHour; taken += 1)
    await take(core, [{ rule: 'appToken', subject: [lab.organizationId] }])

  expect(await refusal(get(clientId, request))).toMatchObject({ kind: 'rate_limited' })
  stack.services.advance(3_600_000)
  expect(await refusal(get(clientId, request))).toEqual({ kind: 'none' })
})
