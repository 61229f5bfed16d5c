/** The second step outside the staff: by choice for developers, by role for practices. */
import { randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { addAccount, addPractice, signedIn } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { kindOfProblem, password } from '../../../tests/support/visitor.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import type { Realm } from '../../contract/portal/realms.ts'
import type { Actor, Context } from '../actor.ts'

let networks = 0

const services = await testServices({ template: 'schema' })
const made = await services.accounts.createDemoAccount({
  realm: 'developer',
  email: 'shown@samplewood.example',
  name: 'Shown Testwell',
  password,
})
const passwordHash = (await services.prisma.account.findUniqueOrThrow({ where: { id: made.id } }))
  .passwordHash

type Person = { accountId: string; email: string; realm: Realm; context: Context }

async function person(realm: Realm): Promise<Person> {
  networks += 1
  const email = `kim-${randomUUID().slice(0, 8)}@samplewood.example`
  const { id } = await addAccount(services, realm, { email, passwordHash })
  const context = { ip: `198.51.100.${networks}`, userAgent: 'vitest', correlationId: randomUUID() }
  return { accountId: id, email, realm, context }
}

async function signIn({ realm, email, context }: Person): Promise<PortalSession> {
  const answer = await services.accounts.signIn({ realm, email, password }, context)
  if (answer.kind !== 'signed_in') throw new Error(answer.kind)
  return read(answer.cookie, realm)
}

async function read(cookie: string, realm: Realm): Promise<PortalSession> {
  const request = new Request('https://portal.example/', { headers: { cookie: cookie.split(';')[0] ?? '' } })
  const found = await services.sessions.read(request, realm)
  if (!found) throw new Error('no session')
  return found.session
}

const codeOf = (typed: string) =>
  new TOTP({ secret: Secret.fromBase32(typed) }).generate({ timestamp: services.clock().getTime() })

async function enrol(whose: Person): Promise<PortalSession> {
  const session = await signIn(whose)
  const { typed } = await services.mfaFactors.beginEnrolment(session)
  const answer = await services.mfaFactors.confirmEnrolment({ session, code: codeOf(typed) }, whose.context)
  if (answer.kind !== 'enrolled') throw new Error(answer.kind)
  return read(answer.cookie, whose.realm)
}

const actorOf = ({ accountId, context }: Person): Actor => ({
  ...signedIn(() => services, accountId)(),
  ...context,
})

const practice = async () => (await addPractice(services)).id

async function worksAt(practiceId: string, role: 'admin' | 'signatory' | 'clinician', whom?: Person) {
  const one = whom ?? (await person('practice'))
  const data = { practiceId, accountId: one.accountId, role, createdAt: services.clock() }
  await services.prisma.practiceMembership.create({ data })
  return one
}

test('a developer signs in without a second step until one is set up, and with it ever after', async () => {
  const kim = await person('developer')
  expect((await signIn(kim)).mfaState).toBe('not_set_up')

  const session = await enrol(kim)

  expect(session).toMatchObject({ mfaState: 'given', mfaAt: services.clock() })
  expect((await signIn(kim)).mfaState).toBe('needed')
})

test('a stolen session of a developer cannot put its own app in the owner’s place, nor read new recovery codes', async () => {
  const kim = await person('developer')
  const stolen = await signIn(kim)
  services.advance(11 * 60_000)
  expect(await kindOfProblem(services.mfaFactors.beginEnrolment(stolen))).toBe('forbidden')
  const confirm = services.mfaFactors.confirmEnrolment({ session: stolen, code: '000000' }, kim.context)
  expect(await kindOfProblem(confirm)).toBe('forbidden')
  expect(await services.mfaFactors.find(kim.accountId)).toMatchObject({ enrolled: false })

  const session = await enrol(kim)
  services.advance(11 * 60_000)
  const renew = services.mfaFactors.renewRecoveryCodes(session, kim.context)
  expect(await kindOfProblem(renew)).toBe('forbidden')
})

test('a published developer sign-in is not asked', async () => {
  const shown = { ...(await person('developer')), email: 'shown@samplewood.example' }
  expect((await signIn(shown)).mfaState).toBe('not_asked')
})

test('admins and signatories of a practice sign in with two steps, clinicians with one, patients never', async () => {
  const practiceId = await practice()
  const [admin, signatory, clinician] = await Promise.all(
    (['admin', 'signatory', 'clinician'] as const).map((role) => worksAt(practiceId, role)),
  )
  if (!admin || !signatory || !clinician) throw new Error('nobody works there')

  expect((await signIn(admin)).mfaState).toBe('needed')
  expect((await signIn(signatory)).mfaState).toBe('needed')
  expect((await signIn(clinician)).mfaState).toBe('not_set_up')
  expect((await signIn(await person('patient'))).mfaState).toBe('not_asked')
  expect((await enrol(admin)).mfaState).toBe('given')
  // Whoever becomes an admin meets the second step on the next page, not at the next sign-in.
  await worksAt(practiceId, 'admin', clinician)
  expect((await signIn(clinician)).mfaState).toBe('needed')
})

const reason = 'Lost the phone and the codes; spoke in person.'
const reset = (whose: Person, by: Person, proof: Partial<Actor> = {}) =>
  kindOfProblem(services.mfaAdmin.reset({ accountId: whose.accountId, reason }, { ...actorOf(by), ...proof }))

test('an owner resets a member’s second step, unless that member also works for others', async () => {
  const [owner, member, stranger] = [
    await person('developer'),
    await person('developer'),
    await person('developer'),
  ]
  const { id } = await services.organizations.create({ name: 'Samplewood Health Apps' }, actorOf(owner))
  const join = (organizationId: string, accountId: string) =>
    services.prisma.membership.create({
      data: { organizationId, accountId, role: 'admin', createdAt: services.clock() },
    })
  await join(id, member.accountId)
  await enrol(member)
  const listed = await services.mfaAdmin.listMembers(
    { organizationId: id, accountIds: [owner, member, stranger].map(({ accountId }) => accountId) },
    actorOf(owner),
  )
  expect(listed.filter(({ mayReset }) => mayReset).map(({ accountId }) => accountId)).toEqual([
    member.accountId,
  ])

  expect(await reset(member, stranger)).toBe('not_found')
  expect(await reset(owner, member)).toBe('not_found')
  expect(await reset(owner, owner)).toBe('conflict')
  const old = new Date(services.clock().getTime() - 11 * 60_000)
  expect(await reset(member, owner, { mfa: old })).toBe('forbidden')
  expect((await services.mfaFactors.find(member.accountId)).enrolled).toBe(true)
  const elsewhere = await services.organizations.create({ name: 'Placeholder Works' }, actorOf(stranger))
  await join(elsewhere.id, member.accountId)
  expect(await reset(member, owner)).toBe('not_found')
  await services.prisma.membership.deleteMany({ where: { organizationId: elsewhere.id, role: 'admin' } })

  expect(await reset(member, owner)).toBe('none')
  expect((await services.mfaFactors.find(member.accountId)).enrolled).toBe(false)
  const mail = await services.prisma.outboxMail.findFirstOrThrow({ where: { toAddress: member.email } })
  expect(mail).toMatchObject({ template: 'second-factor-reset', props: { realm: 'developer', reason } })
})

test('a practice’s admin resets those of its people, and of nobody who also works elsewhere', async () => {
  const [here, there] = [await practice(), await practice()]
  const [admin, signatory, elsewhere] = [
    await worksAt(here, 'admin'),
    await worksAt(here, 'signatory'),
    await worksAt(there, 'admin'),
  ]
  await enrol(signatory)

  expect(await reset(signatory, elsewhere)).toBe('not_found')
  expect(await reset(admin, signatory)).toBe('not_found')
  await worksAt(there, 'clinician', signatory)
  expect(await reset(signatory, admin)).toBe('not_found')
  const everyone = [admin, signatory, elsewhere].map(({ accountId }) => accountId)
  const colleagues = await services.mfaAdmin.listColleagues(everyone, actorOf(admin))
  expect(colleagues.map(({ accountId }) => accountId).sort()).toEqual(
    [admin.accountId, signatory.accountId].sort(),
  )
  expect(colleagues.map(({ mayReset }) => mayReset)).toEqual([false, false])
  expect(await services.mfaAdmin.listColleagues(everyone, actorOf(signatory))).toEqual([])
  await services.prisma.practiceMembership.deleteMany({ where: { practiceId: there, role: 'clinician' } })
  expect(await reset(signatory, admin)).toBe('none')
})
