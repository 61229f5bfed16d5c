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
import type { PortalSession } from '../../auth/sessions.ts'
import { emailChangeHours } from './email-changes.ts'

const HOUR = 3_600_000
let visitor: Visitor
let session: PortalSession
let wanted: string

const services = await testServices({ template: 'schema' })

beforeEach(async () => {
  visitor = createVisitor(services)
  await visitor.makeVerified()
  session = await visitor.signedIn()
  wanted = `new-${visitor.email}`
})

const ask = (email = wanted, currentPassword = password) =>
  services.accounts.requestEmailChange({ session, email, currentPassword }, visitor.context)

async function askForLink(email = wanted): Promise<string> {
  services.advance(1)
  expect(await ask(email)).toMatchObject({ kind: 'mail_sent' })
  return tokenMailedTo(services, email)
}

const confirm = (token: string, given = password) =>
  services.accounts.confirmEmailChange({ token, password: given }, visitor.context)

async function actionsOf(accountId: string): Promise<string[]> {
  const rows = await services.prisma.auditEvent.findMany({
    where: { subjectKind: 'account', subjectId: accountId },
    orderBy: { id: 'asc' },
  })
  return rows.map((row) => row.action)
}

describe('another address for an account', () => {
  test('is in force once its link and the password are given, and the old address is told twice', async () => {
    expect(await ask(` ${wanted.toUpperCase()} `)).toMatchObject({ kind: 'mail_sent' })
    const token = await tokenMailedTo(services, wanted)
    expect(await services.accounts.findEmailChange(session.accountId)).toMatchObject({ email: wanted })
    expect(await services.accounts.findLink(token, 'change_email')).toMatchObject({ kind: 'live' })
    expect(await visitor.signIn({ email: wanted })).toEqual({ kind: 'refused' })

    expect(await confirm(token)).toEqual({ kind: 'changed' })

    expect(await services.prisma.session.count({ where: { accountId: session.accountId } })).toBe(0)
    expect(await visitor.signIn()).toEqual({ kind: 'refused' })
    expect(await visitor.signIn({ email: wanted })).toMatchObject({ kind: 'signed_in' })
    expect(await services.accounts.findEmailChange(session.accountId)).toBeNull()
    expect(await confirm(token)).toEqual({ kind: 'used' })
    expect((await mailsTo(services, visitor.email)).slice(-2)).toEqual([
      'email-change-notice',
      'email-changed',
    ])
    expect((await mailsTo(services, wanted))[0]).toBe('email-change')
    expect(await actionsOf(session.accountId)).toEqual(
      expect.arrayContaining(['account.email_change_requested', 'account.email_changed']),
    )
  })

  test('takes the password twice, and one that is wrong uses nothing up', async () => {
    expect(await ask(wanted, otherPassword)).toEqual({ kind: 'refused' })
    expect(await mailsTo(services, wanted)).toEqual([])

    const token = await askForLink()
    expect(await confirm(token, otherPassword)).toEqual({ kind: 'refused' })

    expect(await confirm(token)).toEqual({ kind: 'changed' })
  })

  test('takes the code of two-step sign-in again where the account has it', async () => {
    const before = new Date(services.clock().getTime() - HOUR)
    session = { ...session, mfaState: 'given', mfaAt: before }
    await expect(ask()).rejects.toMatchObject({ kind: 'forbidden', field: 'stepUp' })
    expect(await mailsTo(services, wanted)).toEqual([])

    session = { ...session, mfaAt: services.clock() }
    expect(await ask()).toMatchObject({ kind: 'mail_sent' })
  })

  test('cannot be the one it has, nor be given to a demonstration sign-in', async () => {
    expect(await kindOfProblem(ask(` ${visitor.email.toUpperCase()}`))).toBe('validation')

    await services.prisma.account.update({ where: { id: session.accountId }, data: { isDemo: true } })
    expect(await kindOfProblem(ask())).toBe('forbidden')
  })

  test('that is somebody’s gets the same answer, and its owner the only mail', async () => {
    const other = createVisitor(services)
    await other.makeVerified()

    expect(await ask(other.email)).toMatchObject({ kind: 'mail_sent' })

    expect((await mailsTo(services, other.email)).at(-1)).toBe('account-exists')
    expect(await services.accounts.findEmailChange(session.accountId)).toMatchObject({ email: other.email })
  })

  test('that somebody confirmed meanwhile stays theirs', async () => {
    const token = await askForLink()
    const other = createVisitor(services)
    await other.signUp({ email: wanted })
    await other.verify({ token: await tokenMailedTo(services, wanted) })

    expect(await confirm(token)).toEqual({ kind: 'taken' })

    expect(await visitor.findAccount()).toMatchObject({ id: session.accountId })
  })

  test('goes to whoever confirms it first: a sign-up that waits for it is forgotten', async () => {
    const token = await askForLink()
    const other = createVisitor(services)
    await other.signUp({ email: wanted })

    expect(await confirm(token)).toEqual({ kind: 'changed' })

    const accounts = await services.prisma.account.findMany({ where: { email: wanted } })
    expect(accounts.map(({ id }) => id)).toEqual([session.accountId])
  })

  test('of two at the same moment one stands', async () => {
    const token = await askForLink()

    const answers = await Promise.all([confirm(token), confirm(token)])

    expect(answers.map(({ kind }) => kind).sort()).toEqual(['changed', 'expired'])
  })

  test('is replaced by a newer wish, taken back, and forgotten with its link', async () => {
    const first = await askForLink()
    const second = await askForLink(`newer-${visitor.email}`)
    expect(await confirm(first)).toEqual({ kind: 'expired' })

    const renewed = (await services.sessions.listForAccount(session.accountId))[0]
    if (!renewed) throw new Error('no session')
    await services.accounts.cancelEmailChange(renewed, visitor.context)
    await services.accounts.cancelEmailChange(renewed, visitor.context)
    expect(await confirm(second)).toEqual({ kind: 'expired' })
    expect((await actionsOf(session.accountId)).filter((each) => each.endsWith('_cancelled'))).toHaveLength(1)

    services.advance(HOUR)
    const third = await askForLink()
    services.advance(emailChangeHours * HOUR)
    expect(await confirm(third)).toEqual({ kind: 'expired' })
    expect(await services.accounts.findEmailChange(session.accountId)).toBeNull()
    expect(await services.accounts.forgetEndedChanges(services.clock())).toBeGreaterThan(0)
    expect(await visitor.findAccount()).toMatchObject({ pendingEmail: null })
  })

  test('ends the links that were mailed to the old one to choose a password', async () => {
    await services.accounts.requestPasswordReset(
      { realm: 'developer', email: visitor.email },
      visitor.context,
    )
    await visitor.runLinkJob()
    const reset = await tokenMailedTo(services, visitor.email)

    await confirm(await askForLink())

    expect(
      await services.accounts.resetPassword({ token: reset, password: otherPassword }, visitor.context),
    ).toEqual({ kind: 'expired' })
  })

  test('is asked for at most three times an hour', async () => {
    for (let count = 0; count < 3; count++) await askForLink()

    expect(await ask()).toMatchObject({ kind: 'throttled' })
  })
})

describe('signing out', () => {
  test('ends the session, removes the cookie and leaves one row in the audit trail', async () => {
    const { cookie } = await services.accounts.signOut(session, visitor.context)
    await services.accounts.signOut(session, visitor.context)

    expect(cookie).toMatch(/^__Host-sandpiper-developer=; .*Max-Age=0/)
    const live = await services.sessions.listForAccount(session.accountId)
    expect(live.map(({ id }) => id)).not.toContain(session.id)
    expect((await actionsOf(session.accountId)).filter((each) => each === 'account.signed_out')).toHaveLength(
      1,
    )
  })

  test('of other browsers is recorded, too, and reaches nobody else’s', async () => {
    const stranger = createVisitor(services)
    await stranger.makeVerified()
    const theirs = await stranger.signedIn()
    const second = await visitor.signedIn()
    await visitor.signedIn()

    await services.accounts.endSession({ session, sessionId: second.id }, visitor.context)
    await services.accounts.endSession({ session, sessionId: theirs.id }, visitor.context)
    await services.accounts.endOtherSessions(session, visitor.context)

    const left = await services.sessions.listForAccount(session.accountId)
    expect(left.map(({ id }) => id)).toEqual([session.id])
    expect(await services.sessions.listForAccount(theirs.accountId)).not.toEqual([])
    expect((await actionsOf(session.accountId)).slice(-2)).toEqual([
      'account.session_ended',
      'account.sessions_ended',
    ])
  })
})
