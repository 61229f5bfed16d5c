/** From nothing to a reviewer and a practice admin who sign in, by the commands and the links in their emails. */
import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { openDatabaseGate } from '../../tests/support/database-gate.ts'
import { testServices } from '../../tests/support/services.ts'
import { longTest } from '../../tests/support/slice.ts'
import { tokenInLink } from '../contract/portal/paths.ts'
import type { Realm } from '../contract/portal/realms.ts'
import { programFile } from '../threads.ts'
import { readAdminCommand, runAdminCommand } from './admin-command.ts'

const services = await testServices({ template: 'schema' })

const admin = async (...args: string[]) => runAdminCommand(services, readAdminCommand(args))
const staff = (email: string, name: string, role: string) => [
  'create-staff',
  ...['--email', email],
  ...['--name', name],
  ...['--role', role],
]
const visitor = { ip: '192.0.2.1', userAgent: 'vitest', correlationId: 'admin-test' }
const password = 'a heron on one leg'

async function linksTo(address: string): Promise<{ template: string; token: string }[]> {
  const rows = await services.prisma.outboxMail.findMany({
    where: { toAddress: address, sealedLinks: { not: null } },
    orderBy: { createdAt: 'asc' },
  })
  return rows.flatMap((row) =>
    Object.values(services.mail.openLinks(row)).map((link) => ({
      template: row.template,
      token: tokenInLink(link) ?? '',
    })),
  )
}

async function tokenFor(address: string): Promise<string> {
  services.advance(1_000)
  return (await linksTo(address)).at(-1)?.token ?? ''
}

const signIn = (realm: Realm, email: string) => services.accounts.signIn({ realm, email, password }, visitor)

longTest(
  'a command waits for a database that takes no connection at first, and then for a lock, longer than a request',
  async () => {
    const gate = await openDatabaseGate(services.database.appUrl)
    const lock = await services.database.ownerPool.connect()
    await lock.query('BEGIN; LOCK TABLE portal.account IN EXCLUSIVE MODE')
    await gate.refuse()
    const args = staff('patient@staff.example', 'Pat Testwell', 'reviewer')
    const { env } = services

    const command = promisify(execFile)(process.execPath, [programFile('server/cli/admin.ts'), ...args], {
      env: {
        ...process.env,
        NODE_ENV: 'test',
        SANDPIPER_EMBEDDED: '1',
        PUBLIC_ORIGIN: env.PUBLIC_ORIGIN,
        SMTP_URL: env.SMTP_URL,
        MAIL_FROM: env.MAIL_FROM,
        DATABASE_URL: gate.url,
        DATA_DIR: env.DATA_DIR,
        ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
      },
    })
    // Long enough for it to have been refused.
    await expect.poll(() => gate.takeCount(), { timeout: 20_000 }).toBeGreaterThan(0)
    await gate.open()
    const waits = `SELECT pid FROM pg_locks WHERE relation = 'portal.account'::regclass AND NOT granted`
    await expect
      .poll(async () => (await services.database.ownerPool.query(waits)).rowCount, { timeout: 20_000 })
      .toBe(1)
    await delay(6_000)
    await lock.query('ROLLBACK')
    lock.release()

    expect((await command).stdout).toContain('created reviewer patient@staff.example')
    await gate.close()
  },
)

describe('a new installation', () => {
  test('gets a reviewer, who chooses a password by the link and is then asked for the second step', async () => {
    const said = await admin(...staff('Ines@Staff.example', 'Inès Testwell', 'reviewer'))

    expect(said).toContain('created reviewer ines@staff.example')
    expect(said).not.toMatch(/token|password:/)
    expect(await signIn('staff', 'ines@staff.example')).toEqual({ kind: 'refused' })
    const token = await tokenFor('ines@staff.example')
    const changed = await services.accounts.resetPassword({ token, password }, visitor)
    expect(changed).toEqual({ kind: 'changed', realm: 'staff' })
    const signedIn = await signIn('staff', 'ines@staff.example')
    expect(signedIn).toMatchObject({ kind: 'signed_in' })
    const account = await services.prisma.account.findFirstOrThrow({ where: { email: 'ines@staff.example' } })
    expect(account).toMatchObject({ realm: 'staff', staffRole: 'reviewer', name: 'Inès Testwell' })
    const session = await services.prisma.session.findFirstOrThrow({ where: { accountId: account.id } })
    expect(session.mfaAt).toBeNull()
    const audit = await services.prisma.auditEvent.findFirstOrThrow({ where: { action: 'staff.created' } })
    expect(audit).toMatchObject({
      actorKind: 'system',
      detail: { command: 'create-staff', role: 'reviewer' },
    })
  })

  test('gets a practice, whose admin accepts the invitation and signs in', async () => {
    expect(
      await admin('create-practice', '--slug', 'fennmoor', '--name', 'Fennmoor Family Practice'),
    ).toContain('https://portal.example/r4/fennmoor')
    expect(
      await admin('invite-practice-admin', '--practice', 'fennmoor', '--email', 'theo@fennmoor.example'),
    ).toBe(
      'invited theo@fennmoor.example as admin of Fennmoor Family Practice; an email with a link is on its way',
    )

    const token = await tokenFor('theo@fennmoor.example')
    const accepted = await services.practiceStaff.acceptAsNew(
      { token, name: 'Theo Testwell', password },
      visitor,
    )

    expect(accepted).toEqual({ kind: 'accepted' })
    expect(await signIn('practice', 'theo@fennmoor.example')).toMatchObject({ kind: 'signed_in' })
    const practice = await services.prisma.practice.findUniqueOrThrow({
      where: { slug: 'fennmoor' },
      include: { staff: true },
    })
    expect(practice).toMatchObject({
      environment: 'production',
      fhirEnabled: false,
      purpose: 'office',
      state: 'active',
    })
    expect(practice.staff).toMatchObject([{ role: 'admin' }])
    expect(await services.store.datasets.counts(practice.datasetId)).toEqual({})
  })
})

describe('a command', () => {
  test('given twice sends a new link, and the old one ends', async () => {
    const args = staff('ops@staff.example', 'Kim Placeholder', 'ops')
    await admin(...args)
    const first = await tokenFor('ops@staff.example')

    expect(await admin(...args)).toContain('has not chosen a password yet')
    const second = await tokenFor('ops@staff.example')

    expect(await services.accounts.resetPassword({ token: first, password }, visitor)).toEqual({
      kind: 'expired',
    })
    expect(await services.accounts.resetPassword({ token: second, password }, visitor)).toMatchObject({
      kind: 'changed',
    })
    await expect(admin(...args)).rejects.toMatchObject({ kind: 'conflict' })
    await expect(admin(...staff('ops@staff.example', 'Kim', 'reviewer'))).rejects.toMatchObject({
      kind: 'conflict',
    })
  })

  test('given by two people at once makes one account and one practice', async () => {
    const both = staff('both@staff.example', 'Both', 'ops')
    const practice = ['create-practice', '--slug', 'both', '--name', 'Both']

    const accounts = await Promise.allSettled([admin(...both), admin(...both)])
    const practices = await Promise.allSettled([admin(...practice), admin(...practice)])

    expect(accounts.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
    expect(await services.prisma.account.count({ where: { email: 'both@staff.example' } })).toBe(1)
    expect(practices.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(practices.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { kind: 'conflict' },
    })
    const { rows } = await services.database.ownerPool.query(
      `SELECT count(*)::int AS count FROM clinical.dataset WHERE name LIKE 'both %'`,
    )
    expect(rows[0].count).toBe(1)
  })

  test.each([
    [staff('x@staff.example', 'X', 'auditor'), '--role: Choose a role: reviewer or ops.'],
    [['create-staff', '--name', 'X'], '--email is missing\n--role is missing'],
    [staff('not an address', 'X', 'ops'), '--email: Enter an email address such as name@company.example.'],
    [staff('x@staff.example', 'See www.evil.example', 'ops'), '--name: Remove web and ema'],
    [['create-practice', '--slug', 'Größe', '--name', 'X'], '--slug: A slug has 1 to 60 lowercase letters'],
    [
      ['create-practice', '--slug', 'x', '--name', 'X', '--environment', 'staging'],
      '--environment: Choose an environment',
    ],
    [
      ['invite-practice-admin', '--practice', 'nowhere', '--email', 'a@b.example'],
      'no practice has the slug nowhere',
    ],
    [['invite-practice-admin', '--practice', 'a\0b', '--email', 'a@b.example'], 'no practice has the slug'],
    [['invite-practice-admin', '--email', 'a@b.example'], '--practice is missing'],
    [['destroy'], 'unknown command destroy'],
    [[], 'unknown command (none)'],
  ])('%j is refused with what is wrong, and changes nothing', async (args, message) => {
    const before = await services.prisma.auditEvent.count()

    await expect(admin(...args)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(message),
    })

    expect(await services.prisma.auditEvent.count()).toBe(before)
  })

  test('takes no password or other unknown option', async () => {
    await expect(admin('create-staff', '--password', 'x')).rejects.toThrow(/Unknown option '--password'/)
  })
})
