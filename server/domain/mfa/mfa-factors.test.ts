import { randomBytes, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../../tests/support/people.ts'
import { testServices } from '../../../tests/support/services.ts'
import { kindOfProblem, password } from '../../../tests/support/visitor.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import { factorResetForm, mfaForm } from '../../contract/forms/mfa.ts'
import { createKeyring } from '../../keyring.ts'
import type { Context } from '../actor.ts'
import { withCore } from '../core.ts'
import * as verbs from './mfa-factors.ts'

const MINUTE = 60_000
const STEP = 30_000
let context: Context
let email: string

const services = await testServices({ template: 'schema' })
const made = await services.accounts.createDemoAccount({
  realm: 'staff',
  email: 'shown@sandpiper.example',
  name: 'Shown Testwell',
  password,
  staffRole: 'ops',
})
const passwordHash = (await services.prisma.account.findUniqueOrThrow({ where: { id: made.id } }))
  .passwordHash

beforeEach(async () => {
  email = `odell-${randomUUID().slice(0, 8)}@sandpiper.example`
  context = { ip: '198.51.100.7', userAgent: 'Firefox/140.0', correlationId: randomUUID() }
  await addAccount(services, 'staff', { email, passwordHash, staffRole: 'ops' })
})

async function signIn(address = email): Promise<PortalSession> {
  const answer = await services.accounts.signIn({ realm: 'staff', email: address, password }, context)
  if (answer.kind !== 'signed_in') throw new Error(answer.kind)
  return read(answer.cookie)
}

async function read(cookie: string): Promise<PortalSession> {
  const request = new Request('https://portal.example/', { headers: { cookie: cookie.split(';')[0] ?? '' } })
  const found = await services.sessions.read(request, 'staff')
  if (!found) throw new Error('no session')
  return found.session
}

function codeOf(typed: string, offsetMs = 0): string {
  const timestamp = services.clock().getTime() + offsetMs
  return new TOTP({ secret: Secret.fromBase32(typed) }).generate({ timestamp })
}

async function enrol(session: PortalSession) {
  const { typed } = await services.mfaFactors.beginEnrolment(session)
  const answer = await services.mfaFactors.confirmEnrolment({ session, code: codeOf(typed) }, context)
  if (answer.kind !== 'enrolled') throw new Error(answer.kind)
  return { typed, ...answer }
}

const typedAs = (code: string) => mfaForm.parse({ code }).code
const verify = (session: PortalSession, code: string) =>
  services.mfaFactors.verify({ session, typed: typedAs(code) }, context)

test('a password alone leaves staff in front of the second step', async () => {
  const session = await signIn()

  expect(session.mfaState).toBe('needed')
  expect(await services.mfaFactors.find(session.accountId)).toEqual({
    enrolled: false,
    recoveryCodesLeft: 0,
  })
})

test('the first code of an app sets it up, under a new session id, and gives ten recovery codes', async () => {
  const session = await signIn()
  const { uri, typed } = await services.mfaFactors.beginEnrolment(session)
  expect(await services.mfaFactors.beginEnrolment(session)).toEqual({ uri, typed })
  expect(new URL(uri).searchParams.get('secret')).toBe(typed)
  expect(decodeURIComponent(uri)).toContain(email)

  const wrong = await services.mfaFactors.confirmEnrolment(
    { session, code: codeOf(typed, 10 * STEP) },
    context,
  )
  expect(wrong).toEqual({ kind: 'refused' })
  const answer = await services.mfaFactors.confirmEnrolment({ session, code: codeOf(typed) }, context)

  if (answer.kind !== 'enrolled') throw new Error(answer.kind)
  expect(await read(answer.cookie)).toMatchObject({ id: session.id, mfaState: 'given' })
  expect(new Set(answer.recoveryCodes).size).toBe(10)
  expect(await services.mfaFactors.find(session.accountId)).toEqual({
    enrolled: true,
    recoveryCodesLeft: 10,
  })
  const begin = services.mfaFactors.beginEnrolment(session)
  expect(await kindOfProblem(begin)).toBe('conflict')
})

test('neither seed nor recovery codes lie in the database as they are', async () => {
  const { typed, recoveryCodes } = await enrol(await signIn())
  const { rows } = await services.database.ownerPool.query(
    `SELECT t::text AS row FROM portal.totp_secret t UNION ALL SELECT t::text FROM portal.recovery_code t
     UNION ALL SELECT t::text FROM portal.audit_event t`,
  )
  const all = rows.map(({ row }) => row).join('\n')

  const seed = Buffer.from(Secret.fromBase32(typed).buffer).toString('hex')
  for (const secret of [
    typed,
    seed,
    ...recoveryCodes,
    ...recoveryCodes.map((code) => code.replaceAll('-', '')),
  ])
    expect(all).not.toContain(secret)
})

test('a later sign-in gives the code of the app, and each code works once', async () => {
  const { typed } = await enrol(await signIn())
  services.advance(STEP)
  const [one, other] = [await signIn(), await signIn()]
  const code = codeOf(typed)

  const answers = await Promise.all([verify(one, code), verify(other, code)])

  expect(answers.map(({ kind }) => kind).sort()).toEqual(['refused', 'verified'])
  expect(await verify(other, code)).toEqual({ kind: 'refused' })
  // The code before it was never used; it is older than the last accepted one.
  expect(await verify(other, codeOf(typed, -STEP))).toEqual({ kind: 'refused' })
  services.advance(STEP)
  expect(await verify(other, ` ${codeOf(typed).slice(0, 3)} ${codeOf(typed).slice(3)} `)).toMatchObject({
    kind: 'verified',
  })
})

test('a clock half a minute wrong is forgiven, a minute is not', async () => {
  const { typed } = await enrol(await signIn())
  services.advance(10 * STEP)
  const session = await signIn()

  expect(await verify(session, codeOf(typed, -2 * STEP))).toEqual({ kind: 'refused' })
  expect(await verify(session, codeOf(typed, 2 * STEP))).toEqual({ kind: 'refused' })
  expect(await verify(session, codeOf(typed, -STEP))).toMatchObject({ kind: 'verified' })
  expect(await verify(session, codeOf(typed, STEP))).toMatchObject({ kind: 'verified' })
})

test('a recovery code works once, at its own account only', async () => {
  const { recoveryCodes } = await enrol(await signIn())
  const [code = ''] = recoveryCodes
  const session = await signIn()
  const stranger = { ...session, accountId: randomUUID() }

  expect(await verify(stranger, code)).toEqual({ kind: 'refused' })
  const answers = await Promise.all([
    verify(session, code),
    verify(session, code.replaceAll('-', '').toUpperCase()),
  ])

  expect(answers.map(({ kind }) => kind).sort()).toEqual(['refused', 'verified'])
  expect(await services.mfaFactors.find(session.accountId)).toMatchObject({ recoveryCodesLeft: 9 })
})

test('new recovery codes take the place of the old ones, and only after the second step', async () => {
  const { recoveryCodes, cookie } = await enrol(await signIn())
  const session = await signIn()
  expect(await kindOfProblem(services.mfaFactors.renewRecoveryCodes(session, context))).toBe('forbidden')

  const [fresh = ''] = await services.mfaFactors.renewRecoveryCodes(await read(cookie), context)

  expect(await verify(session, recoveryCodes[0] ?? '')).toEqual({ kind: 'refused' })
  expect(await verify(session, fresh)).toMatchObject({ kind: 'verified' })
})

test('after five wrong codes even the right one waits, whatever the network', async () => {
  const { typed } = await enrol(await signIn())
  services.advance(15 * MINUTE)
  const session = await signIn()
  for (let attempt = 0; attempt < 5; attempt++) {
    context = { ...context, ip: `203.0.113.${attempt}` }
    expect(await verify(session, '000000')).toEqual({ kind: 'refused' })
  }

  expect(await verify(session, codeOf(typed))).toMatchObject({ kind: 'throttled' })
  services.advance(15 * MINUTE)
  expect(await verify(session, codeOf(typed))).toMatchObject({ kind: 'verified' })
})

test('somebody else with the password never sees the seed of a set-up under way', async () => {
  const [owner, thief] = [await signIn(), await signIn()]
  const own = await services.mfaFactors.beginEnrolment(owner)
  const theirs = await services.mfaFactors.beginEnrolment(thief)
  expect(theirs.typed).not.toBe(own.typed)

  // The later one counts; the owner starts again, and the thief's session ends with the set-up.
  const answer = await services.mfaFactors.confirmEnrolment(
    { session: owner, code: codeOf(own.typed) },
    context,
  )
  expect(answer).toEqual({ kind: 'refused' })
  await enrol(owner)
  const confirm = services.mfaFactors.confirmEnrolment(
    { session: thief, code: codeOf(theirs.typed) },
    context,
  )
  expect(await confirm).toEqual({ kind: 'refused' })
  expect(await services.prisma.session.findMany({ where: { accountId: owner.accountId } })).toHaveLength(1)
})

test('demonstration staff are not asked, and cannot set up what would lock out the others', async () => {
  const session = await signIn('shown@sandpiper.example')

  expect(session.mfaState).toBe('not_asked')
  expect(await kindOfProblem(services.mfaFactors.beginEnrolment(session))).toBe('forbidden')
  const confirm = services.mfaFactors.confirmEnrolment({ session, code: '000000' }, context)
  expect(await kindOfProblem(confirm)).toBe('forbidden')
})

test('seeds are sealed again under the first key of the ring, and open when the older one is gone', async () => {
  const { typed } = await enrol(await signIn())
  const newer = `newer:${randomBytes(32).toString('base64')}`
  const withKeys = (...keys: string[]) =>
    withCore({ ...services.core, keyring: createKeyring(keys.join(',')) }, verbs)
  const older = services.env.ENCRYPTION_KEYS

  expect(await withKeys(newer, older).reseal()).toBeGreaterThan(0)
  expect(await withKeys(newer, older).reseal()).toBe(0)

  services.advance(STEP)
  const given = { session: await signIn(), typed: typedAs(codeOf(typed)) }
  expect(await withKeys(newer).verify(given, context)).toMatchObject({ kind: 'verified' })
  expect(await withKeys(older, newer).reseal()).toBeGreaterThan(0)
})

describe('a second step that was lost', () => {
  const reason = 'Lost the phone and the codes; spoke with them in person.'
  const actorOf = ({ accountId, id }: PortalSession) => ({
    ...context,
    accountId,
    sessionId: id,
    authenticatedAt: services.clock(),
    mfa: services.clock(),
  })
  const signInOps = async () => actorOf(await signIn('shown@sandpiper.example'))

  test('is reset by operations, with a reason, a mail and a row of the audit log, and is set up anew', async () => {
    const { cookie, recoveryCodes } = await enrol(await signIn())
    const { accountId } = await read(cookie)
    const ops = await signInOps()
    const listed = async () =>
      (await services.mfaAdmin.findByAddress(email, ops)).find((each) => each.accountId === accountId)
    expect(await listed()).toMatchObject({ email, setUpAt: expect.any(Date), recoveryCodesLeft: 10 })

    await services.mfaAdmin.reset({ accountId, reason }, ops)

    expect(await listed()).toMatchObject({ setUpAt: null, recoveryCodesLeft: 0 })
    await expect(read(cookie)).rejects.toThrow('no session')
    const { template, props } = await services.prisma.outboxMail.findFirstOrThrow({
      where: { toAddress: email, template: 'second-factor-reset' },
    })
    expect([template, props]).toEqual([
      'second-factor-reset',
      {
        name: 'Quinn Placeholder',
        realm: 'staff',
        at: services.clock().toISOString(),
        by: 'Shown Testwell',
        reason,
      },
    ])
    const written = await services.prisma.auditEvent.findFirstOrThrow({
      where: { action: 'second_factor.reset', subjectId: accountId },
    })
    expect(written).toMatchObject({ actorId: ops.accountId, detail: { reason } })
    const session = await signIn()
    expect(await verify(session, recoveryCodes[0] ?? '')).toEqual({ kind: 'refused' })
    expect((await enrol(session)).recoveryCodes).toHaveLength(10)
  })

  test('is reset by nobody else, not one’s own, and not twice', async () => {
    const { accountId } = await read((await enrol(await signIn())).cookie)
    const ops = await signInOps()
    const reviewer = await addAccount(services, 'staff', { passwordHash, staffRole: 'reviewer' })
    const reset = (subject: string, by: Partial<typeof ops> = {}) =>
      kindOfProblem(services.mfaAdmin.reset({ accountId: subject, reason }, { ...ops, ...by }))

    expect(await reset(accountId, { accountId: reviewer.id })).toBe('not_found')
    expect(
      await kindOfProblem(
        services.mfaAdmin.findByAddress(reviewer.email, { ...ops, accountId: reviewer.id }),
      ),
    ).toBe('forbidden')
    expect(await reset(accountId, { accountId })).toBe('conflict')
    expect([await reset(randomUUID()), await reset('nobody')]).toEqual(['not_found', 'not_found'])
    await services.mfaAdmin.reset({ accountId, reason }, ops)
    expect(await reset(accountId)).toBe('conflict')
    expect(factorResetForm.safeParse({ reason: ' too short ' }).success).toBe(false)
  })
})

test.each(['', '12345', '1234567', 'abc', 'l1l1-l1l1-l1l1-l1l1', 'x'.repeat(200), '１２３４５'])(
  'what is no code is refused at the form: %s',
  (code) => {
    expect(mfaForm.safeParse({ code }).success).toBe(false)
  },
)
