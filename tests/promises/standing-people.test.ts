/** The standing people of an organization's sandbox: accounts with a sign-in that no reset removes. */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sandboxSignIns, signInAddress } from '../../server/contract/lab/sandbox-sign-ins.ts'
import { getSmartPractice } from '../../server/domain/practices/fhir-access.ts'
import { resealPeoplePasswords } from '../../server/domain/practices/standing-people.ts'
import { createKeyring } from '../../server/keyring.ts'
import { restStack } from '../support/rest.ts'
import { createLabs } from '../support/sandbox-lab.ts'
import { challenge, redirectUri, smartSupport } from '../support/smart.ts'

const { makeLab, teams } = createLabs(() => stack)
const context = { ip: '203.0.113.9', userAgent: 'vitest', correlationId: 'standing' }

const stack = await restStack()
const lab = await makeLab()

const listOf = (sandbox = lab, accountId = sandbox.owner.accountId) =>
  stack.services.sandbox.signIns.list({ organizationId: sandbox.organizationId, accountId })

function signIn(localPart: string, password: string, sandbox = lab) {
  const { realm } = sandboxSignIns.find((each) => each.localPart === localPart) ?? { realm: 'patient' }
  const email = signInAddress(localPart, sandbox.slug)
  return stack.services.accounts.signIn({ realm, email, password }, context)
}

const accountOf = (localPart: string, sandbox = lab) =>
  stack.services.prisma.account.findFirstOrThrow({ where: { email: signInAddress(localPart, sandbox.slug) } })

/** The session that a sign-in's cookie names. */
async function sessionOf(answer: Awaited<ReturnType<typeof signIn>>, realm: 'patient' | 'practice') {
  if (answer.kind !== 'signed_in') throw new Error(answer.kind)
  const cookie = answer.cookie.split(';')[0] ?? ''
  const request = new Request('https://portal.example', { headers: { cookie } })
  return (await stack.services.sessions.read(request, realm))?.session ?? null
}

test('a new sandbox has every person of the table, and each of them signs in', async () => {
  const { password, people } = await listOf()

  expect(people.map(({ signIn: each }) => each)).toEqual(sandboxSignIns)
  for (const { email, signIn: person } of people) {
    expect(email).toBe(signInAddress(person.localPart, lab.slug))
    expect((await signIn(person.localPart, password)).kind, email).toBe('signed_in')
  }
})

test('the practice admin and clinicians need no second step, unless they also have a role at another practice', async () => {
  const { password } = await listOf()
  const { prisma } = stack.services

  const admin = await sessionOf(await signIn('theo.placeholder', password), 'practice')
  expect(admin?.mfaState).toBe('not_asked')

  const { id: accountId } = await accountOf('theo.placeholder')
  const other = await prisma.practice.findUniqueOrThrow({ where: { slug: 'harbor-family' } })
  const role = { practiceId: other.id, accountId, role: 'admin' as const }
  await prisma.practiceMembership.create({ data: { ...role, createdAt: stack.services.clock() } })
  expect((await sessionOf(await signIn('theo.placeholder', password), 'practice'))?.mfaState).toBe('needed')
  await prisma.practiceMembership.delete({ where: { practiceId_accountId_role: role } })
})

test('no practice can invite one of them', async () => {
  const smart = smartSupport(stack.services)
  const { id: practiceId } = await stack.services.prisma.practice.findUniqueOrThrow({
    where: { slug: 'harbor-family' },
  })
  const email = signInAddress('theo.placeholder', lab.slug)
  const invite = stack.services.practiceStaff.invite(
    { practiceId, email, role: 'admin' },
    await smart.createAdmin(practiceId),
  )

  await expect(invite).rejects.toMatchObject({ kind: 'validation', field: 'email' })
})

test('they get no emails', async () => {
  const { prisma, mail } = stack.services
  const envelope = {
    template: 'practice-invitation',
    props: { practiceName: 'x', invitedBy: 'x', role: 'admin', expiresAt: '2026-11-27T17:00:00.000Z' },
    links: { acceptUrl: '/practice/invitations/accept?token=x' },
  } as const
  const sentTo = async (to: string) => {
    await prisma.$transaction((tx) => mail.enqueue(tx, { ...envelope, to }))
    return prisma.outboxMail.count({ where: { toAddress: to } })
  }

  expect(await sentTo('robin@samplewood.example')).toBe(1)
  expect(await sentTo(signInAddress('theo.placeholder', lab.slug))).toBe(0)
})

test('they can authorize an app: a parent chooses a child, a clinician any patient', async () => {
  const { services } = stack
  const smart = smartSupport(services)
  const practice = await getSmartPractice(services.prisma, lab.slug)
  const openAuthorization = async (localPart: string, audience: 'patient' | 'clinician') => {
    const scope = audience === 'patient' ? 'launch/patient patient/*.rs' : 'launch/patient user/*.rs'
    const { client } = await smart.createClient({ scope, audience, organizationId: lab.organizationId })
    const row = await services.prisma.client.findUniqueOrThrow({ where: { id: client.clientId } })
    const { id, cookie } = await services.pendingAuthorizations.open(
      {
        practice,
        client: row,
        redirectUri,
        state: 'state',
        nonce: null,
        codeChallenge: challenge,
        scopes: [],
        launch: null,
      },
      null,
    )
    const handle = { id, cookieHeader: cookie.split(';')[0] ?? '' }
    return { handle, actor: smart.actorOf((await accountOf(localPart)).id) }
  }

  const zoe = await openAuthorization('zoe.munoz', 'patient')
  expect(await services.authorizations.eligibility(zoe.handle, zoe.actor)).toEqual({ kind: 'eligible' })
  const choices = await services.authorizations.people(zoe.handle, zoe.actor)
  expect(choices.map(({ patientId }) => patientId).sort()).toEqual(['pt-pip-testwell', 'pt-zoe-munoz'])

  const nell = await openAuthorization('nell.testerby', 'clinician')
  expect(await services.authorizations.eligibility(nell.handle, nell.actor)).toEqual({ kind: 'eligible' })
})

test('one of them is a patient of two practices', async () => {
  const { id: accountId } = await accountOf('lee.fauxworth')
  const logins = await stack.services.prisma.patientLogin.findMany({
    where: { accountId },
    include: { practice: { select: { slug: true } } },
  })

  expect(logins.map(({ practice }) => practice.slug).sort()).toEqual(
    [lab.slug, 'sandpiper-demonstration'].sort(),
  )
  expect(new Set(logins.map(({ patientId }) => patientId)).size).toBe(1)
})

test('save, reset and restore change no sign-in, password or role', async () => {
  const { prisma } = stack.services
  const state = async () => ({
    password: (await listOf()).password,
    accounts: await prisma.account.findMany({
      where: { sandboxPracticeId: lab.practiceId },
      select: { id: true, email: true, passwordHash: true },
      orderBy: { email: 'asc' },
    }),
    logins: await prisma.patientLogin.count({ where: { practiceId: lab.practiceId } }),
    roles: await prisma.practiceMembership.count({ where: { practiceId: lab.practiceId } }),
  })
  const before = await state()
  const session = await sessionOf(await signIn('wren.testwell', before.password), 'patient')

  for (const kind of ['save', 'reset', 'restore'] as const)
    expect((await lab.change(kind)).state, kind).toBe('done')

  expect(await state()).toEqual(before)
  expect((await signIn('marlo.testwell', before.password)).kind).toBe('signed_in')
  expect(await stack.services.sessions.isLive(session?.id ?? '')).toBe(true)
  const { rows } = await stack.services.pool.query(
    `SELECT count(*)::int AS missing FROM portal.patient_login l JOIN portal.practice p ON p.id = l.practice_id
     WHERE p.id = $1 AND NOT EXISTS (SELECT 1 FROM clinical.resource r WHERE r.dataset_id = p.dataset_id
       AND r.id = COALESCE(l.related_person_id, l.patient_id) AND NOT r.deleted)`,
    [lab.practiceId],
  )
  expect(rows).toEqual([{ missing: 0 }])
})

test('a new password ends the old one and every session, and is audited', async () => {
  const { prisma } = stack.services
  const { password: old } = await listOf()
  const session = await sessionOf(await signIn('wren.testwell', old), 'patient')

  await stack.services.sandbox.signIns.resetPassword(lab.organizationId, lab.owner.actor)

  const { password } = await listOf()
  expect(password).not.toBe(old)
  expect((await signIn('wren.testwell', old)).kind).toBe('refused')
  expect((await signIn('wren.testwell', password)).kind).toBe('signed_in')
  expect(await stack.services.sessions.isLive(session?.id ?? '')).toBe(false)
  const [row] = await prisma.auditEvent.findMany({ where: { action: 'sandbox.people_password_reset' } })
  expect(row).toMatchObject({
    actorId: lab.owner.accountId,
    practiceId: lab.practiceId,
    organizationId: lab.organizationId,
  })
  expect(JSON.stringify(row?.detail)).not.toContain(password)
})

test('the password is stored encrypted, and encrypted again under a new key', async () => {
  const { prisma } = stack.services
  const { password } = await listOf()
  const row = await prisma.practice.findUniqueOrThrow({ where: { id: lab.practiceId } })
  const sealed = Buffer.from(row.sealedPeoplePassword ?? [])
  expect(sealed.length).toBeGreaterThan(0)
  expect(sealed.includes(password)).toBe(false)

  const keys = [
    `newer:${randomBytes(32).toString('base64')}`,
    `test:${Buffer.alloc(32, 7).toString('base64')}`,
  ]
  const keyring = createKeyring(keys.join(','))
  expect(await resealPeoplePasswords({ prisma, keyring })).toBeGreaterThan(0)
  expect(await resealPeoplePasswords({ prisma, keyring })).toBe(0)
  await prisma.practice.update({
    where: { id: lab.practiceId },
    data: { sealedPeoplePassword: row.sealedPeoplePassword },
  })
})

test('a role or account that was removed is there again, and two requests at once add it only once', async () => {
  const { prisma } = stack.services
  const { id: accountId } = await accountOf('rafi.draftworth')
  await prisma.practiceMembership.deleteMany({ where: { accountId } })
  await prisma.account.delete({ where: { id: (await accountOf('nil.stubwell')).id } })

  const [one, other] = await Promise.all([listOf(), listOf()])

  expect(one).toEqual(other)
  expect(await prisma.practiceMembership.count({ where: { accountId } })).toBe(1)
  expect((await signIn('nil.stubwell', one.password)).kind).toBe('signed_in')
  expect(await prisma.account.count({ where: { sandboxPracticeId: lab.practiceId } })).toBe(
    sandboxSignIns.length,
  )
})

test('developers see them; viewers and other organizations do not, and each sandbox has its own', async () => {
  const developer = await teams.addMember(lab.organizationId, 'developer')
  const viewer = await teams.addMember(lab.organizationId, 'viewer')
  const stranger = await makeLab()

  expect(await listOf(lab, developer.accountId)).toEqual(await listOf())
  await expect(listOf(lab, viewer.accountId)).rejects.toMatchObject({ kind: 'forbidden' })
  await expect(listOf(lab, stranger.owner.accountId)).rejects.toMatchObject({ kind: 'not_found' })
  await expect(
    stack.services.sandbox.signIns.resetPassword(lab.organizationId, stranger.owner.actor),
  ).rejects.toMatchObject({ kind: 'not_found' })
  const { password } = await listOf(stranger)
  expect(password).not.toBe((await listOf()).password)
  expect((await signIn('wren.testwell', password)).kind).toBe('refused')
})
