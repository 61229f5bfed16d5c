import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailsTo, tokenMailedTo } from '../../../tests/support/mailed.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import type { PortalSession } from '../../auth/sessions.ts'
import { isProblem } from '../../contract/problems.ts'
import type { Realm } from '../../contract/realms.ts'
import type { Context } from '../actor.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const password = 'teal heron over marsh'
const other = 'grey plover at low tide'
let services: TestServices
let email: string
/** Each test comes from a network of its own: counters are shared by all. */
let context: Context
let tests = 0

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
})

beforeEach(() => {
  tests += 1
  email = `robin-${randomUUID().slice(0, 8)}@samplewood.example`
  context = {
    ip: `198.51.100.${tests}`,
    userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
    correlationId: randomUUID(),
  }
})

const signUp = (form = {}) =>
  services.accounts.signUp({ name: 'Robin Testwell', email, password, ...form }, context)
const signIn = (form: { realm?: Realm; email?: string; password?: string } = {}) =>
  services.accounts.signIn({ realm: 'developer', email, password, ...form }, context)
const findAccount = () =>
  services.prisma.account.findUnique({ where: { realm_email: { realm: 'developer', email } } })

async function makeVerified(): Promise<string> {
  await signUp()
  const verified = await services.accounts.verifyEmail(await tokenMailedTo(services, email), context)
  if (verified.kind !== 'verified') throw new Error(verified.kind)
  return verified.accountId
}

async function readSession(cookie: string): Promise<PortalSession | null> {
  const request = new Request('https://portal.example/', { headers: { cookie: cookie.split(';')[0] ?? '' } })
  return (await services.sessions.read(request, 'developer'))?.session ?? null
}

async function signedIn(): Promise<PortalSession> {
  const answer = await signIn()
  if (answer.kind !== 'signed_in') throw new Error(answer.kind)
  const session = await readSession(answer.cookie)
  if (!session) throw new Error('no session')
  return session
}

/** Runs the job that the newest request for a link left behind. */
async function runLinkJob(): Promise<void> {
  const { rows } = await services.database.ownerPool.query(
    `SELECT payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = 'send-account-link' ORDER BY j.id DESC LIMIT 1`,
  )
  await services.accounts.sendLink(rows[0].payload)
}

const kindOfProblem = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error: unknown) => (isProblem(error) ? error.kind : String(error)),
  )

describe('signing up', () => {
  test('leads over the mailed link to an account that can sign in', async () => {
    expect(await signUp()).toEqual({ kind: 'mail_sent' })
    expect(await signIn()).toEqual({ kind: 'unverified' })
    const token = await tokenMailedTo(services, email)
    const [masked] = [`${email[0]}…@s….example`]
    expect(await services.accounts.findLink(token, 'verify_email')).toEqual({
      kind: 'live',
      maskedEmail: masked,
      realm: 'developer',
    })

    expect(await services.accounts.verifyEmail(token, context)).toMatchObject({ kind: 'verified' })

    expect(await signIn()).toMatchObject({ kind: 'signed_in' })
    expect(await mailsTo(services, email)).toEqual(['verify-email', 'welcome'])
  })

  test('answers a known address as it answers a new one, and tells its owner by mail', async () => {
    const fresh = await signUp()
    await services.accounts.verifyEmail(await tokenMailedTo(services, email), context)
    const before = await findAccount()

    const again = await signUp({ email: email.toUpperCase(), name: 'Someone Else', password: other })

    expect(again).toEqual(fresh)
    expect(await findAccount()).toEqual(before)
    expect((await mailsTo(services, email)).at(-1)).toBe('account-exists')
    expect(await signIn({ password: other })).toEqual({ kind: 'refused' })
  })

  test('again before the address is confirmed takes the newest form, and the older link stops', async () => {
    await signUp({ password: other })
    const first = await tokenMailedTo(services, email)
    services.advance(1)
    await signUp()
    const second = await tokenMailedTo(services, email)

    expect(await services.accounts.verifyEmail(first, context)).toEqual({ kind: 'expired' })
    expect(await services.accounts.verifyEmail(second, context)).toMatchObject({ kind: 'verified' })
    expect(await signIn()).toMatchObject({ kind: 'signed_in' })
  })

  test('twice at the same moment makes one account and no error', async () => {
    const answers = await Promise.all([signUp(), signUp()])

    expect(answers).toEqual([{ kind: 'mail_sent' }, { kind: 'mail_sent' }])
    expect(await services.prisma.account.count({ where: { email } })).toBe(1)
  })

  test('refuses a weak password before anything is written', async () => {
    expect(await kindOfProblem(signUp({ password: 'password1234' }))).toBe('validation')
    expect(await kindOfProblem(signUp({ password: email }))).toBe('validation')
    expect(await findAccount()).toBeNull()
  })

  test('sends an address three mails an hour at most, known or not', async () => {
    const answers = []
    for (let attempt = 0; attempt < 4; attempt++) answers.push(await signUp())

    expect(answers.map((answer) => answer.kind)).toEqual(['mail_sent', 'mail_sent', 'mail_sent', 'throttled'])
    expect(answers[3]).toMatchObject({ retryAfterSeconds: expect.any(Number) })
    services.advance(HOUR)
    expect(await signUp()).toEqual({ kind: 'mail_sent' })
  })

  test('keeps neither password nor token in the database or the log', async () => {
    await signUp()
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
    await signUp()
    const token = await tokenMailedTo(services, email)

    const answers = await Promise.all([
      services.accounts.verifyEmail(token, context),
      services.accounts.verifyEmail(token, context),
    ])

    expect(answers.map((answer) => answer.kind).sort()).toEqual(['used', 'verified'])
    expect(await services.accounts.findLink(token, 'verify_email')).toEqual({ kind: 'used' })
    expect((await mailsTo(services, email)).filter((name) => name === 'welcome')).toHaveLength(1)
  })

  test('lives 24 hours', async () => {
    await signUp()
    const token = await tokenMailedTo(services, email)

    services.advance(24 * HOUR - 1)
    expect(await services.accounts.findLink(token, 'verify_email')).toMatchObject({ kind: 'live' })
    services.advance(1)
    expect(await services.accounts.findLink(token, 'verify_email')).toEqual({ kind: 'expired' })
    expect(await services.accounts.verifyEmail(token, context)).toEqual({ kind: 'expired' })
  })

  test('is unknown when it was never sent, and cannot choose a password', async () => {
    await signUp()
    const token = await tokenMailedTo(services, email)

    for (const made of ['', 'x', 'a'.repeat(43), `${token}a`, '\u0000'.repeat(43)]) {
      expect(await services.accounts.verifyEmail(made, context)).toEqual({ kind: 'unknown' })
    }
    expect(await services.accounts.findLink(token, 'reset_password')).toEqual({ kind: 'unknown' })
    expect(await services.accounts.resetPassword({ token, password: other }, context)).toEqual({
      kind: 'unknown',
    })
  })

  test('is sent again on request, three times an hour, without saying whether there is an account', async () => {
    await signUp()
    expect(await services.accounts.resendVerification({ email }, context)).toEqual({ kind: 'mail_sent' })
    services.advance(1)
    await runLinkJob()
    await runLinkJob() // a job that runs twice sends one mail

    expect(await mailsTo(services, email)).toEqual(['verify-email', 'verify-email'])
    expect(await services.accounts.verifyEmail(await tokenMailedTo(services, email), context)).toMatchObject({
      kind: 'verified',
    })
    const unknown = `nobody-${email}`
    for (const expected of ['mail_sent', 'mail_sent', 'mail_sent', 'throttled']) {
      expect((await services.accounts.resendVerification({ email: unknown }, context)).kind).toBe(expected)
    }
    expect(await mailsTo(services, unknown)).toEqual([])
  })

  test('not used within seven days, the account is forgotten', async () => {
    await signUp()
    services.advance(7 * 24 * HOUR - 1_000)
    await services.accounts.purgeUnverified(services.clock())
    expect(await findAccount()).not.toBeNull()

    services.advance(1_000)
    expect(await services.accounts.purgeUnverified(services.clock())).toBeGreaterThan(0)

    expect(await findAccount()).toBeNull()
    expect(await services.accounts.purgeUnverified(services.clock())).toBe(0)
  })
})

describe('signing in', () => {
  test('refuses a wrong password, an unknown address and another realm with the same answer', async () => {
    await makeVerified()

    expect(await signIn({ password: other })).toEqual({ kind: 'refused' })
    expect(await signIn({ email: `nobody-${email}` })).toEqual({ kind: 'refused' })
    expect(await signIn({ realm: 'staff' })).toEqual({ kind: 'refused' })
    expect(await signIn({ email: '', password: '' })).toEqual({ kind: 'refused' })
  })

  test('says that the address is not confirmed only to who knows the password', async () => {
    await signUp()

    expect(await signIn({ password: other })).toEqual({ kind: 'refused' })
    expect(await signIn()).toEqual({ kind: 'unverified' })
  })

  test('takes a misspelt case and composed letters', async () => {
    await makeVerified()

    expect(await signIn({ email: ` ${email.toUpperCase()} ` })).toMatchObject({ kind: 'signed_in' })
  })

  test('is held up after ten wrong passwords from one network, known address or not, until the window ends', async () => {
    await makeVerified()
    services.advance(15 * MINUTE)

    for (const address of [email, `nobody-${email}`]) {
      for (let attempt = 0; attempt < 10; attempt++)
        expect(await signIn({ email: address, password: other })).toEqual({ kind: 'refused' })
      expect(await signIn({ email: address })).toMatchObject({ kind: 'throttled' })
    }
    const elsewhere = await services.accounts.signIn(
      { realm: 'developer', email, password },
      { ...context, ip: '192.0.2.200' },
    )
    expect(elsewhere).toMatchObject({ kind: 'signed_in' })
    services.advance(15 * MINUTE)
    expect(await signIn()).toMatchObject({ kind: 'signed_in' })
  })

  test('counts guesses that come at the same moment', async () => {
    await makeVerified()
    services.advance(15 * MINUTE)

    const kinds: string[] = []
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => signIn({ password: other })))
      kinds.push(...answers.map((answer) => answer.kind))
    }

    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(10)
    expect(kinds.filter((kind) => kind === 'throttled')).toHaveLength(30)
  })

  test('right passwords are not counted', async () => {
    await makeVerified()

    for (let round = 0; round < 12; round++) expect(await signIn()).toMatchObject({ kind: 'signed_in' })
  })

  test('a fifth password at the same moment is asked to come back', async () => {
    await makeVerified()

    const answers = await Promise.all(Array.from({ length: 6 }, () => signIn()))

    expect(answers.some((answer) => answer.kind === 'busy')).toBe(true)
    expect(answers.every((answer) => answer.kind === 'busy' || answer.kind === 'signed_in')).toBe(true)
    expect(answers.find((answer) => answer.kind === 'busy')).toEqual({ kind: 'busy', retryAfterSeconds: 1 })
  })

  test('gives every sign-in an id of its own', async () => {
    await makeVerified()
    const one = await signIn()
    const two = await signIn()

    expect(one.kind === 'signed_in' && two.kind === 'signed_in' && one.cookie !== two.cookie).toBe(true)
  })

  test('is told by mail when the device is new, but not the first time and not twice', async () => {
    await makeVerified()
    await signIn()
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
    const id = await makeVerified()
    await services.prisma.account.update({ where: { id }, data: { disabledAt: services.clock() } })

    expect(await signIn()).toEqual({ kind: 'refused' })
  })
})

describe('a forgotten password', () => {
  async function askForLink(): Promise<string> {
    services.advance(1)
    expect(await services.accounts.requestPasswordReset({ realm: 'developer', email }, context)).toEqual({
      kind: 'mail_sent',
    })
    await runLinkJob()
    return tokenMailedTo(services, email)
  }

  test('is replaced over a mailed link, once, and everybody is signed out', async () => {
    await makeVerified()
    const session = await signedIn()
    const token = await askForLink()

    expect(await services.accounts.resetPassword({ token, password: other }, context)).toEqual({
      kind: 'changed',
    })

    expect(await services.sessions.listForAccount(session.accountId)).toEqual([])
    expect(await signIn()).toEqual({ kind: 'refused' })
    expect(await signIn({ password: other })).toMatchObject({ kind: 'signed_in' })
    expect(await services.accounts.resetPassword({ token, password }, context)).toEqual({ kind: 'used' })
    expect(await mailsTo(services, email)).toContain('password-changed')
  })

  test('of two new passwords at the same moment one stands', async () => {
    await makeVerified()
    const token = await askForLink()

    const answers = await Promise.all([
      services.accounts.resetPassword({ token, password: other }, context),
      services.accounts.resetPassword({ token, password: `${other} again` }, context),
    ])

    expect(answers.map((answer) => answer.kind).sort()).toEqual(['changed', 'used'])
  })

  test('a weak choice does not use the link up', async () => {
    await makeVerified()
    const token = await askForLink()

    expect(
      await kindOfProblem(services.accounts.resetPassword({ token, password: 'password1234' }, context)),
    ).toBe('validation')

    expect(await services.accounts.resetPassword({ token, password: other }, context)).toEqual({
      kind: 'changed',
    })
  })

  test('the link lives one hour, and a newer one takes its place', async () => {
    await makeVerified()
    const first = await askForLink()
    const second = await askForLink()

    expect(await services.accounts.findLink(first, 'reset_password')).toEqual({ kind: 'expired' })
    services.advance(HOUR)
    expect(await services.accounts.resetPassword({ token: second, password: other }, context)).toEqual({
      kind: 'expired',
    })
  })

  test('confirms an address that was not confirmed: the link came by mail', async () => {
    await signUp()
    const token = await askForLink()

    await services.accounts.resetPassword({ token, password: other }, context)

    expect(await signIn({ password: other })).toMatchObject({ kind: 'signed_in' })
  })

  test('of nobody gets the same answer and no mail', async () => {
    expect(await services.accounts.requestPasswordReset({ realm: 'patient', email }, context)).toEqual({
      kind: 'mail_sent',
    })
    await runLinkJob()

    expect(await mailsTo(services, email)).toEqual([])
  })
})

describe('a signed-in person', () => {
  test('changes the password with the present one; other browsers are signed out, this one goes on under a new id', async () => {
    await makeVerified()
    const elsewhere = await signedIn()
    const session = await signedIn()
    expect(
      await services.accounts.changePassword(
        { session, currentPassword: other, newPassword: other },
        context,
      ),
    ).toEqual({ kind: 'refused' })

    const changed = await services.accounts.changePassword(
      { session, currentPassword: password, newPassword: other },
      context,
    )

    expect(changed.kind).toBe('changed')
    const live = await services.sessions.listForAccount(session.accountId)
    expect(live.map(({ id }) => id)).toEqual([session.id])
    expect(live.map(({ id }) => id)).not.toContain(elsewhere.id)
    expect(await readSession(changed.kind === 'changed' ? changed.cookie : '')).toMatchObject({
      id: session.id,
    })
    expect(await signIn({ password: other })).toMatchObject({ kind: 'signed_in' })
  })

  test('gives the password again for what needs it fresh', async () => {
    await makeVerified()
    const session = await signedIn()
    services.advance(10 * MINUTE + 1)
    expect(services.accounts.isStepUpFresh(session)).toBe(false)

    expect(await services.accounts.stepUp({ session, password: other }, context)).toEqual({ kind: 'refused' })
    const done = await services.accounts.stepUp({ session, password }, context)

    const renewed = await readSession(done.kind === 'done' ? done.cookie : '')
    expect(renewed && services.accounts.isStepUpFresh(renewed)).toBe(true)
  })

  test('may not guess at step-up any more than at sign-in', async () => {
    await makeVerified()
    const session = await signedIn()
    services.advance(15 * MINUTE)

    for (let attempt = 0; attempt < 10; attempt++)
      expect(await services.accounts.stepUp({ session, password: other }, context)).toEqual({
        kind: 'refused',
      })

    expect(await services.accounts.stepUp({ session, password }, context)).toMatchObject({
      kind: 'throttled',
    })
    expect(await signIn()).toMatchObject({ kind: 'throttled' })
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
      password: other,
    })

    expect(second).toEqual(first)
    expect(await signIn({ realm: 'staff', password: other })).toMatchObject({
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
      expect(await signIn({ password: other })).toEqual({ kind: 'refused' })

    const session = await signedIn()
    expect(session.accountId).toBe(id)
    expect(
      await kindOfProblem(
        services.accounts.changePassword({ session, currentPassword: password, newPassword: other }, context),
      ),
    ).toBe('forbidden')
  })

  test('does not take over somebody’s own account', async () => {
    await makeVerified()

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
  await makeVerified()
  await signIn()
  services.advance(61 * 24 * HOUR)

  const gone = await services.accounts.deleteEnded(services.clock())

  expect(gone.sessions).toBeGreaterThan(0)
  expect(gone.links).toBeGreaterThan(0)
  expect(gone.throttles).toBeGreaterThan(0)
  expect(await services.prisma.session.count()).toBe(0)
  expect(await services.prisma.throttle.count()).toBe(0)
})
