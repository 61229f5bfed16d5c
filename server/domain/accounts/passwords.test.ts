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
import { nobodysPassword } from '../../auth/password.ts'
import type { Context } from '../actor.ts'

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
