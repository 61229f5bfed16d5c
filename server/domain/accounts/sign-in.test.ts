import { beforeEach, describe, expect, test } from 'vitest'
import { mailsTo, tokenMailedTo } from '../../../tests/support/mailed.ts'
import { testServices } from '../../../tests/support/services.ts'
import {
  createVisitor,
  kindOfProblem,
  otherPassword,
  password,
  type Visitor,
} from '../../../tests/support/visitor.ts'
import { createPasswords, nobodysPassword } from '../../auth/password.ts'
import type { Context } from '../actor.ts'
import { withCore } from '../core.ts'
import * as verbs from './accounts.ts'

const MINUTE = 60_000
const HOUR = 3_600_000
let visitor: Visitor
let email: string
let context: Context

const services = await testServices({ template: 'schema' })

beforeEach(() => {
  visitor = createVisitor(services)
  ;({ email, context } = visitor)
})

describe('signing in', () => {
  test('refuses a wrong password, an unknown address and another realm with the same answer', async () => {
    await visitor.makeVerified()

    expect(await visitor.signIn({ password: otherPassword })).toEqual({ kind: 'refused' })
    expect(await visitor.signIn({ email: `nobody-${email}` })).toEqual({ kind: 'refused' })
    expect(await visitor.signIn({ realm: 'staff' })).toEqual({ kind: 'refused' })
    expect(await visitor.signIn({ email: '', password: '' })).toEqual({ kind: 'refused' })
  })

  test('says that the address is not confirmed only to who knows the password', async () => {
    await visitor.signUp()

    expect(await visitor.signIn({ password: otherPassword })).toEqual({ kind: 'refused' })
    expect(await visitor.signIn()).toEqual({ kind: 'unverified' })
  })

  test('takes a misspelt case and composed letters', async () => {
    await visitor.makeVerified()

    expect(await visitor.signIn({ email: ` ${email.toUpperCase()} ` })).toMatchObject({ kind: 'signed_in' })
  })

  test('is held up after ten wrong passwords from one network, known address or not, until the window ends', async () => {
    await visitor.makeVerified()
    services.advance(15 * MINUTE)

    for (const address of [email, `nobody-${email}`]) {
      for (let attempt = 0; attempt < 10; attempt++)
        expect(await visitor.signIn({ email: address, password: otherPassword })).toEqual({ kind: 'refused' })
      expect(await visitor.signIn({ email: address })).toMatchObject({ kind: 'throttled' })
    }
    const elsewhere = await services.accounts.signIn(
      { realm: 'developer', email, password },
      { ...context, ip: '192.0.2.200' },
    )
    expect(elsewhere).toMatchObject({ kind: 'signed_in' })
    services.advance(15 * MINUTE)
    expect(await visitor.signIn()).toMatchObject({ kind: 'signed_in' })
  })

  test('counts guesses that come at the same moment', async () => {
    await visitor.makeVerified()
    services.advance(15 * MINUTE)

    const kinds: string[] = []
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => visitor.signIn({ password: otherPassword })),
      )
      kinds.push(...answers.map((answer) => answer.kind))
    }

    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(10)
    expect(kinds.filter((kind) => kind === 'throttled')).toHaveLength(30)
  })

  test('a fifth password at the same moment is asked to come back', async () => {
    await visitor.makeVerified()
    const passwords = createPasswords()
    const accounts = withCore({ ...services.core, passwords }, verbs)
    let answered = false
    // Each takes its place again in the moment in which it has become free.
    const others = Array.from({ length: 4 }, async () => {
      while (!answered) await passwords.verify(null, password)
    })

    const answer = await accounts.signIn({ realm: 'developer', email, password }, context)
    answered = true
    await Promise.all(others)

    expect(answer).toEqual({ kind: 'busy', retryAfterSeconds: 1 })
    expect(await accounts.signIn({ realm: 'developer', email, password }, context)).toMatchObject({
      kind: 'signed_in',
    })
  })

  test('is told by mail when the device is new, but not the first time and not twice', async () => {
    await visitor.makeVerified()
    await visitor.signIn()
    expect(await mailsTo(services, email)).not.toContain('new-device')

    const phone = { ...context, userAgent: 'Mozilla/5.0 (iPhone) Version/18.0 Safari/605.1' }
    for (let round = 0; round < 2; round++)
      await services.accounts.signIn({ realm: 'developer', email, password }, phone)
    await services.accounts.signIn(
      { realm: 'developer', email, password },
      { ...context, userAgent: context.userAgent.replace('140', '141') },
    )

    expect((await mailsTo(services, email)).filter((name) => name === 'new-device')).toHaveLength(1)
  })

  test('is refused to a disabled account', async () => {
    const id = await visitor.makeVerified()
    await services.prisma.account.update({ where: { id }, data: { disabledAt: services.clock() } })

    expect(await visitor.signIn()).toEqual({ kind: 'refused' })
  })
})

describe('a demonstration sign-in', () => {
  const demo = () => ({
    realm: 'staff' as const,
    email,
    name: 'Ira Placeholder',
    password,
    staffRole: 'reviewer' as const,
  })

  test('is made once however often the seed runs, and brought to what the seed says', async () => {
    const first = await services.accounts.createDemoAccount(demo())
    const second = await services.accounts.createDemoAccount({
      ...demo(),
      name: 'Ira P. Placeholder',
      password: otherPassword,
    })

    expect(second).toEqual(first)
    expect(await visitor.signIn({ realm: 'staff', password: otherPassword })).toMatchObject({
      kind: 'signed_in',
      accountId: first.id,
    })
    expect(await services.prisma.account.findUnique({ where: { id: first.id } })).toMatchObject({
      name: 'Ira P. Placeholder',
      staffRole: 'reviewer',
    })
  })

  test('is never locked by other people’s guesses, and its password cannot be taken away', async () => {
    const { id } = await services.accounts.createDemoAccount({
      ...demo(),
      realm: 'developer',
      staffRole: undefined,
    })

    for (let attempt = 0; attempt < 12; attempt++)
      expect(await visitor.signIn({ password: otherPassword })).toEqual({ kind: 'refused' })

    const session = await visitor.signedIn()
    expect(session.accountId).toBe(id)
    expect(
      await kindOfProblem(
        services.accounts.changePassword(
          { session, currentPassword: password, newPassword: otherPassword },
          context,
        ),
      ),
    ).toBe('forbidden')
  })

  test('takes no more guesses a minute from one network than keep a processor free', async () => {
    await services.accounts.createDemoAccount({ ...demo(), realm: 'developer', staffRole: undefined })
    const kinds: string[] = []
    for (let attempt = 0; attempt < 61; attempt++)
      kinds.push((await visitor.signIn({ password: otherPassword })).kind)

    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(60)
    expect(kinds.at(-1)).toBe('throttled')
    services.advance(60_000)
    expect(await visitor.signIn()).toMatchObject({ kind: 'signed_in' })
  })

  test('does not take over somebody’s own account', async () => {
    await visitor.makeVerified()

    await expect(services.accounts.createDemoAccount({ ...demo(), realm: 'developer' })).rejects.toThrow(
      /somebody's own/,
    )
  })

  test('opens nothing where demonstrations are switched off', async () => {
    const closed = await testServices({
      template: 'schema',
      environment: { SANDPIPER_EMBEDDED: '0', SMTP_URL: 'smtp://127.0.0.1:9' },
    })
    await closed.accounts.createDemoAccount(demo())

    expect(await closed.accounts.signIn({ realm: 'staff', email, password }, context)).toEqual({
      kind: 'refused',
    })
  })
})

test('what is over is forgotten: sessions, links and counters', async () => {
  await visitor.makeVerified()
  await visitor.signIn()
  services.advance(61 * 24 * HOUR)

  const gone = await services.accounts.deleteEnded(services.clock())

  expect(gone.sessions).toBeGreaterThan(0)
  expect(gone.links).toBeGreaterThan(0)
  expect(gone.throttles).toBeGreaterThan(0)
  expect(await services.prisma.session.count()).toBe(0)
  expect(await services.prisma.throttle.count()).toBe(0)
})

describe('a forgotten password', () => {
  async function askForLink(): Promise<string> {
    services.advance(1)
    expect(await services.accounts.requestPasswordReset({ realm: 'developer', email }, context)).toEqual({
      kind: 'mail_sent',
    })
    await visitor.runLinkJob()
    return tokenMailedTo(services, email)
  }

  test('is not replaced where nobody signs in: no mail leaves', async () => {
    await visitor.makeVerified()
    await services.prisma.account.updateMany({ where: { email }, data: { passwordHash: nobodysPassword } })
    const before = await mailsTo(services, email)
    await services.accounts.requestPasswordReset({ realm: 'developer', email }, context)
    await visitor.runLinkJob()

    expect(await mailsTo(services, email)).toEqual(before)
    expect((await visitor.signIn({ password: nobodysPassword })).kind).toBe('refused')
  })

  test('is replaced over a mailed link, once, and everybody is signed out', async () => {
    await visitor.makeVerified()
    const session = await visitor.signedIn()
    const token = await askForLink()

    expect(await services.accounts.resetPassword({ token, password: otherPassword }, context)).toEqual({
      kind: 'changed',
      realm: 'developer',
    })

    expect(await services.sessions.listForAccount(session.accountId)).toEqual([])
    expect(await visitor.signIn()).toEqual({ kind: 'refused' })
    expect(await visitor.signIn({ password: otherPassword })).toMatchObject({ kind: 'signed_in' })
    expect(await services.accounts.resetPassword({ token, password }, context)).toEqual({ kind: 'used' })
    expect(await mailsTo(services, email)).toContain('password-changed')
  })

  test('of two new passwords at the same moment one stands', async () => {
    await visitor.makeVerified()
    const token = await askForLink()

    const answers = await Promise.all([
      services.accounts.resetPassword({ token, password: otherPassword }, context),
      services.accounts.resetPassword({ token, password: `${otherPassword} again` }, context),
    ])

    expect(answers.map((answer) => answer.kind).sort()).toEqual(['changed', 'used'])
  })

  test('a weak choice does not use the link up', async () => {
    await visitor.makeVerified()
    const token = await askForLink()

    expect(
      await kindOfProblem(services.accounts.resetPassword({ token, password: 'password1234' }, context)),
    ).toBe('validation')

    expect(await services.accounts.resetPassword({ token, password: otherPassword }, context)).toEqual({
      kind: 'changed',
      realm: 'developer',
    })
  })

  test('the link lives one hour, and a newer one takes its place', async () => {
    await visitor.makeVerified()
    const first = await askForLink()
    const second = await askForLink()

    expect(await services.accounts.findLink(first, 'reset_password')).toEqual({ kind: 'replaced' })
    services.advance(HOUR)
    expect(
      await services.accounts.resetPassword({ token: second, password: otherPassword }, context),
    ).toEqual({
      kind: 'expired',
    })
  })

  test('confirms an address that was not confirmed: the link came by mail', async () => {
    await visitor.signUp()
    const token = await askForLink()

    await services.accounts.resetPassword({ token, password: otherPassword }, context)

    expect(await visitor.signIn({ password: otherPassword })).toMatchObject({ kind: 'signed_in' })
  })

  test('of nobody gets the same answer and no mail', async () => {
    expect(await services.accounts.requestPasswordReset({ realm: 'patient', email }, context)).toEqual({
      kind: 'mail_sent',
    })
    await visitor.runLinkJob()

    expect(await mailsTo(services, email)).toEqual([])
  })
})

describe('a signed-in person', () => {
  test('changes the password with the present one; other browsers are signed out, this one goes on under a new id', async () => {
    await visitor.makeVerified()
    const elsewhere = await visitor.signedIn()
    const session = await visitor.signedIn()
    expect(
      await services.accounts.changePassword(
        { session, currentPassword: otherPassword, newPassword: otherPassword },
        context,
      ),
    ).toEqual({ kind: 'refused' })

    const changed = await services.accounts.changePassword(
      { session, currentPassword: password, newPassword: otherPassword },
      context,
    )

    expect(changed.kind).toBe('changed')
    const live = await services.sessions.listForAccount(session.accountId)
    expect(live.map(({ id }) => id)).toEqual([session.id])
    expect(live.map(({ id }) => id)).not.toContain(elsewhere.id)
    expect(await visitor.readSession(changed.kind === 'changed' ? changed.cookie : '')).toMatchObject({
      id: session.id,
    })
    expect(await visitor.signIn({ password: otherPassword })).toMatchObject({ kind: 'signed_in' })
  })

  test('gives the password again for what needs it fresh', async () => {
    await visitor.makeVerified()
    const session = await visitor.signedIn()
    services.advance(10 * MINUTE + 1)
    expect(services.sessions.isStepUpFresh(session)).toBe(false)

    expect(await services.accounts.stepUp({ session, password: otherPassword }, context)).toEqual({
      kind: 'refused',
    })
    const done = await services.accounts.stepUp({ session, password }, context)

    const renewed = await visitor.readSession(done.kind === 'done' ? done.cookie : '')
    expect(renewed && services.sessions.isStepUpFresh(renewed)).toBe(true)
  })

  test('may not guess at step-up any more than at sign-in', async () => {
    await visitor.makeVerified()
    const session = await visitor.signedIn()
    services.advance(15 * MINUTE)

    for (let attempt = 0; attempt < 10; attempt++)
      expect(await services.accounts.stepUp({ session, password: otherPassword }, context)).toEqual({
        kind: 'refused',
      })

    expect(await services.accounts.stepUp({ session, password }, context)).toMatchObject({
      kind: 'throttled',
    })
    expect(await visitor.signIn()).toMatchObject({ kind: 'throttled' })
  })
})
