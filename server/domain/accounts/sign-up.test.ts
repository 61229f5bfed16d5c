import { beforeEach, describe, expect, test } from 'vitest'
import { mailsTo, tokenMailedTo } from '../../../tests/support/mailed.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createVisitor, otherPassword, password, type Visitor } from '../../../tests/support/visitor.ts'
import type { Context } from '../actor.ts'

const HOUR = 3_600_000
let visitor: Visitor
let email: string
let context: Context

const services = await testServices({ template: 'schema' })

beforeEach(() => {
  visitor = createVisitor(services)
  ;({ email, context } = visitor)
})

describe('signing up', () => {
  test('leads over the mailed link to an account that can sign in', async () => {
    expect(await visitor.signUp()).toMatchObject({ kind: 'mail_sent' })
    expect(await visitor.signIn()).toEqual({ kind: 'unverified' })
    const token = await tokenMailedTo(services, email)
    const [masked] = [`${email[0]}…@s….example`]
    expect(await services.accounts.findLink(token, 'verify_email')).toEqual({
      kind: 'live',
      maskedEmail: masked,
      realm: 'developer',
      sameBrowser: false,
    })

    const verified = await visitor.verify({ token })

    if (verified.kind !== 'verified') throw new Error(verified.kind)
    expect(await visitor.readSession(verified.cookies[0] ?? '')).toMatchObject({
      accountId: verified.accountId,
    })
    expect(await visitor.signIn()).toMatchObject({ kind: 'signed_in' })
    expect(await mailsTo(services, email)).toEqual(['verify-email', 'welcome'])
  })

  test('in one browser needs no password at the link; another sign-up, or another person’s, does', async () => {
    const cookieOf = (answer: object) =>
      ('cookie' in answer ? String(answer.cookie).split(';')[0] : null) ?? null
    const earlier = cookieOf(await visitor.signUp({ password: otherPassword }))
    services.advance(1)
    const cookies = cookieOf(await visitor.signUp())
    const stranger = cookieOf(await createVisitor(services).signUp())
    const token = await tokenMailedTo(services, email)
    const verify = (given: string | null) => services.accounts.verifyEmail({ token, cookies: given }, context)

    for (const wrong of [null, 'sandpiper-sign-up=x', earlier, stranger])
      expect(await verify(wrong)).toEqual({ kind: 'refused' })
    expect(await services.accounts.findLink(token, 'verify_email', cookies)).toMatchObject({
      sameBrowser: true,
    })
    expect(await verify(cookies)).toMatchObject({ kind: 'verified' })
    expect(await verify(cookies)).toEqual({ kind: 'used' })
  })

  test('answers a known address as it answers a new one, and tells its owner by mail', async () => {
    const fresh = await visitor.signUp()
    await visitor.verify({ token: await tokenMailedTo(services, email) })
    const before = await visitor.findAccount()

    const again = await visitor.signUp({
      email: email.toUpperCase(),
      name: 'Someone Else',
      password: otherPassword,
    })

    const masked = (answer: object) => JSON.stringify(answer).replace(/sign-up=[^;]+/, 'sign-up=…')
    expect(masked(again)).toEqual(masked(fresh))
    expect(await visitor.findAccount()).toEqual(before)
    expect((await mailsTo(services, email)).at(-1)).toBe('account-exists')
    expect(await visitor.signIn({ password: otherPassword })).toEqual({ kind: 'refused' })
  })

  test('tried with an address that has an account mails its owner a link to choose a new password', async () => {
    await visitor.makeVerified()
    services.advance(1)

    await visitor.signUp({ password: otherPassword })
    const token = await tokenMailedTo(services, email)

    expect(await services.accounts.findLink(token, 'reset_password')).toMatchObject({ kind: 'live' })
    expect(
      await services.accounts.resetPassword({ token, password: otherPassword }, visitor.context),
    ).toMatchObject({ kind: 'changed' })
  })

  test('of strangers with an address leaves its owner a reset, a link to confirm, and the other way round', async () => {
    await visitor.makeVerified()
    const { context } = visitor
    for (let count = 0; count < 4; count++) await visitor.signUp()
    const { accounts } = services

    expect(await visitor.signUp()).toMatchObject({ kind: 'throttled' })
    expect(await accounts.requestPasswordReset({ realm: 'developer', email }, context)).toEqual({
      kind: 'mail_sent',
    })
    expect(await accounts.resendVerification({ email }, context)).toEqual({ kind: 'mail_sent' })
    for (let count = 0; count < 4; count++)
      await accounts.requestPasswordReset({ realm: 'developer', email }, context)
    expect(await accounts.requestPasswordReset({ realm: 'developer', email }, context)).toMatchObject({
      kind: 'throttled',
    })
    expect(await accounts.resendVerification({ email }, context)).toEqual({ kind: 'mail_sent' })
  })

  test('again before the address is confirmed takes the newest form, and the older link stops', async () => {
    await visitor.signUp({ password: otherPassword })
    const first = await tokenMailedTo(services, email)
    services.advance(1)
    await visitor.signUp()
    const second = await tokenMailedTo(services, email)

    expect(await visitor.verify({ token: first })).toEqual({ kind: 'expired' })
    expect(await services.accounts.findLink(first, 'verify_email')).toEqual({ kind: 'replaced' })
    expect(await visitor.verify({ token: second })).toMatchObject({ kind: 'verified' })
    expect(await services.accounts.findLink(first, 'verify_email')).toEqual({ kind: 'confirmed' })
    expect(await services.accounts.findLink(second, 'verify_email')).toEqual({ kind: 'used' })
    expect(await visitor.signIn()).toMatchObject({ kind: 'signed_in' })
  })

  test('sends an address three mails an hour at most, known or not', async () => {
    const answers = []
    for (let attempt = 0; attempt < 4; attempt++) answers.push(await visitor.signUp())

    expect(answers.map((answer) => answer.kind)).toEqual(['mail_sent', 'mail_sent', 'mail_sent', 'throttled'])
    expect(answers[3]).toMatchObject({ retryAfterSeconds: expect.any(Number) })
    services.advance(HOUR)
    expect(await visitor.signUp()).toMatchObject({ kind: 'mail_sent' })
  })

  test('keeps neither password nor token in the database or the log', async () => {
    await visitor.signUp()
    const token = await tokenMailedTo(services, email)
    const tables = ['account', 'link_token', 'outbox_mail', 'audit_event', 'throttle']

    for (const table of tables) {
      const { rows } = await services.database.ownerPool.query(
        `SELECT t::text AS line FROM portal.${table} t`,
      )
      const text = rows.map((row) => row.line).join('\n')
      expect(text, table).not.toContain(password)
      expect(text, table).not.toContain(token)
    }
  })
})

describe('the link that confirms an address', () => {
  test('works once: of two at the same moment one is verified', async () => {
    await visitor.signUp()
    const token = await tokenMailedTo(services, email)

    const answers = await Promise.all([visitor.verify({ token }), visitor.verify({ token })])

    expect(answers.map((answer) => answer.kind).sort()).toEqual(['used', 'verified'])
    expect(await services.accounts.findLink(token, 'verify_email')).toEqual({ kind: 'used' })
    expect((await mailsTo(services, email)).filter((name) => name === 'welcome')).toHaveLength(1)
  })

  test('confirms no password that the reader of the mail did not choose', async () => {
    await visitor.signUp()
    services.advance(1)
    const stranger = createVisitor(services)
    await stranger.signUp({ email, password: otherPassword, name: 'Sam Stranger-Testwell' })
    const token = await tokenMailedTo(services, email)

    expect(await visitor.verify({ token })).toEqual({ kind: 'refused' })
    expect(await visitor.findAccount()).toMatchObject({ emailVerifiedAt: null })
    expect(await services.accounts.findLink(token, 'verify_email')).toMatchObject({ kind: 'live' })

    await services.accounts.requestPasswordReset({ realm: 'developer', email }, context)
    await visitor.runLinkJob()
    const reset = await tokenMailedTo(services, email)
    expect(await services.accounts.resetPassword({ token: reset, password }, context)).toMatchObject({
      kind: 'changed',
    })
    expect(await visitor.signIn()).toMatchObject({ kind: 'signed_in' })
    expect(await visitor.signIn({ password: otherPassword })).toEqual({ kind: 'refused' })
    expect(await visitor.verify({ token, password: otherPassword })).toEqual({ kind: 'expired' })
  })

  test('and a sign-up at the same moment leave the account with the password that was given', async () => {
    for (let round = 0; round < 6; round++) {
      const owner = createVisitor(services)
      await owner.signUp()
      const token = await tokenMailedTo(services, owner.email)
      const stranger = createVisitor(services)

      const [verified] = await Promise.all([
        owner.verify({ token }),
        stranger.signUp({ email: owner.email, password: otherPassword }),
      ])

      const confirmed = verified.kind === 'verified'
      if (!confirmed) expect(verified).toEqual({ kind: expect.stringMatching(/^(expired|refused)$/) })
      expect((await owner.findAccount())?.emailVerifiedAt !== null).toBe(confirmed)
      expect((await owner.signIn()).kind).toBe(confirmed ? 'signed_in' : 'refused')
    }
  })

  test('is held up after ten wrong passwords, as a sign-in is, and stays live', async () => {
    await visitor.signUp()
    const token = await tokenMailedTo(services, email)

    for (let attempt = 0; attempt < 10; attempt++)
      expect(await visitor.verify({ token, password: otherPassword })).toEqual({ kind: 'refused' })
    expect(await visitor.verify({ token })).toMatchObject({ kind: 'throttled' })
    services.advance(HOUR / 4)
    expect(await visitor.verify({ token })).toMatchObject({ kind: 'verified' })
  })

  test('lives 24 hours', async () => {
    await visitor.signUp()
    const token = await tokenMailedTo(services, email)

    services.advance(24 * HOUR - 1)
    expect(await services.accounts.findLink(token, 'verify_email')).toMatchObject({ kind: 'live' })
    services.advance(1)
    expect(await services.accounts.findLink(token, 'verify_email')).toEqual({ kind: 'expired' })
    expect(await visitor.verify({ token })).toEqual({ kind: 'expired' })
  })

  test('is unknown when it was never sent, and cannot choose a password', async () => {
    await visitor.signUp()
    const token = await tokenMailedTo(services, email)

    for (const made of ['', 'x', 'a'.repeat(43), `${token}a`, '\u0000'.repeat(43)]) {
      expect(await visitor.verify({ token: made })).toEqual({ kind: 'unknown' })
    }
    expect(await services.accounts.findLink(token, 'reset_password')).toEqual({ kind: 'unknown' })
    expect(await services.accounts.resetPassword({ token, password: otherPassword }, context)).toEqual({
      kind: 'unknown',
    })
  })

  test('is sent again on request, three times an hour, without saying whether there is an account', async () => {
    await visitor.signUp()
    expect(await services.accounts.resendVerification({ email }, context)).toEqual({ kind: 'mail_sent' })
    services.advance(1)
    await visitor.runLinkJob()
    await visitor.runLinkJob() // a job that runs twice sends one mail

    expect(await mailsTo(services, email)).toEqual(['verify-email', 'verify-email'])
    expect(await visitor.verify({ token: await tokenMailedTo(services, email) })).toMatchObject({
      kind: 'verified',
    })
    const unknown = `nobody-${email}`
    for (const expected of ['mail_sent', 'mail_sent', 'mail_sent', 'throttled']) {
      expect((await services.accounts.resendVerification({ email: unknown }, context)).kind).toBe(expected)
    }
    expect(await mailsTo(services, unknown)).toEqual([])
  })

  test('not used within seven days, the account is forgotten', async () => {
    await visitor.signUp()
    services.advance(7 * 24 * HOUR - 1_000)
    await services.accounts.purgeUnverified(services.clock())
    expect(await visitor.findAccount()).not.toBeNull()

    services.advance(1_000)
    expect(await services.accounts.purgeUnverified(services.clock())).toBeGreaterThan(0)

    expect(await visitor.findAccount()).toBeNull()
    expect(await services.accounts.purgeUnverified(services.clock())).toBe(0)
  })
})
