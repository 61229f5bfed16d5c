/** Everything that operations may act on, made anew for each act: jobs, mails, sessions, practices, keys and apps. */
import { randomBytes, randomUUID } from 'node:crypto'
import { nobodysPassword } from '../../server/auth/password.ts'
import type { OpsAct, OpsAction } from '../../server/contract/portal/ops-actions.ts'
import type { Actor } from '../../server/domain/actor.ts'
import { addAccount, addPractice, signedIn } from './people.ts'
import type { TestServices } from './services.ts'

/** Words that every act may be done with. */
export const opsReason = 'Asked for by telephone, ticket 4217.'

type Account = { realm: 'developer' | 'staff' | 'practice'; email: string; staffRole?: 'ops' | 'reviewer' }

/** @param services on a database without the cast */
export async function operationsSupport(services: TestServices) {
  const ops = await staff('ops')
  const owner = await addAccount(services, 'developer', { email: 'owner@people.example' })
  const ownerEmail = owner.email
  const createdAt = services.clock()
  const organization = await services.prisma.organization.create({
    data: {
      slug: 'teal',
      name: 'Teal Heron Labs',
      createdById: owner.id,
      createdAt,
      members: { create: { accountId: owner.id, role: 'owner', createdAt } },
    },
  })
  const organizationId = organization.id
  const practiceId = await practice()

  function account({ realm, ...data }: Account) {
    return addAccount(services, realm, { name: 'Kim Placeholder', ...data })
  }

  function actorOf(accountId: string, changes: Partial<Actor> = {}): Actor {
    return { ...signedIn(() => services, accountId)(), ...changes }
  }

  async function staff(staffRole: 'ops' | 'reviewer'): Promise<Actor> {
    const { id } = await account({ realm: 'staff', email: `${randomUUID()}@staff.example`, staffRole })
    return actorOf(id)
  }

  /** Of a reviewer. */
  async function staffAccount(changes: { passwordHash?: string; disabledAt?: Date }) {
    const { accountId: id } = await staff('reviewer')
    await services.prisma.account.update({ where: { id }, data: changes })
    return { id, version: 0 }
  }

  /** For a new reviewer to become an operator. */
  async function roleRequest(requester: Actor) {
    const { id: accountId } = await staffAccount({})
    const given = { id: accountId, version: 0, reason: 'Takes over on Monday.', fields: { role: 'ops' } }
    await services.operations.perform('request_staff_role', given, requester)
    const { id } = await services.prisma.staffRoleRequest.findFirstOrThrow({ where: { accountId } })
    return { id, version: 0 }
  }

  async function practice(): Promise<string> {
    const { id } = await addPractice(services, { environment: 'sandbox' })
    const admin = await addAccount(services, 'practice')
    await services.prisma.practiceMembership.create({
      data: { practiceId: id, accountId: admin.id, role: 'admin', createdAt: services.clock() },
    })
    return id
  }

  async function job(): Promise<{ id: string; version: number }> {
    const jobKey = randomUUID()
    await services.prisma.$transaction((tx) =>
      services.jobs.add(tx, 'send-mail', { id: jobKey }, { jobKey, maxAttempts: 3 }),
    )
    const { rows } = await services.database.ownerPool.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 3, last_error = 'TypeError: no record of Wren Testwell'
     WHERE key = $1 RETURNING id::text`,
      [jobKey],
    )
    return { id: rows[0].id, version: 3 }
  }

  async function key(
    changes: { suspendedAt?: Date; explorer?: boolean } = {},
  ): Promise<{ id: string; version: number }> {
    const owner = await services.prisma.account.findFirstOrThrow({ where: { email: ownerEmail } })
    const now = services.clock()
    const { id, version } = await services.prisma.apiKey.create({
      data: {
        prefix: `svc_t${randomBytes(8).toString('hex').slice(0, 7)}`,
        secretHash: randomBytes(32),
        name: 'Front desk',
        level: 'read_only',
        environment: 'sandbox',
        practiceId,
        organizationId,
        createdById: owner.id,
        createdAt: now,
        expiresAt: new Date(now.getTime() + 86_400_000),
        ...changes,
      },
    })
    return { id, version }
  }

  /** By its prefix, as people name it. */
  async function limitedKey(): Promise<{ id: string; version: number }> {
    const { id } = await key()
    const { prefix } = await services.prisma.apiKey.findUniqueOrThrow({ where: { id } })
    const grantedById = ops.accountId
    const grant = {
      keyId: id,
      burst: 160,
      sustained: 3_700,
      reason: opsReason,
      grantedById,
      createdAt: services.clock(),
    }
    await services.prisma.keyLimitGrant.create({ data: grant })
    return { id: prefix, version: 0 }
  }

  async function client(suspended: boolean): Promise<{ id: string; version: number }> {
    const { id } = await services.prisma.client.create({
      data: {
        id: `app-${randomUUID()}`,
        appId: randomUUID(),
        organizationId,
        environment: 'sandbox',
        audience: 'patient',
        authentication: 'none',
        name: 'Tidepath',
        scope: 'openid',
        createdAt: services.clock(),
        suspendedAt: suspended ? services.clock() : null,
      },
    })
    return { id, version: suspended ? 1 : 0 }
  }

  const suspendedPractice = async () => {
    const id = await practice()
    await services.prisma.practice.update({ where: { id }, data: { state: 'suspended' } })
    return { id, version: 0 }
  }

  const failedMail = async () => {
    const now = services.clock()
    const { id } = await services.prisma.outboxMail.create({
      data: {
        template: 'welcome',
        toAddress: 'wren@people.example',
        props: { name: 'Wren' },
        messageId: randomUUID(),
        state: 'failed',
        attempts: 4,
        lastError: '550 no such user <wren@people.example>',
        nextAttemptAt: now,
        createdAt: now,
      },
    })
    return { id, version: 4 }
  }

  /** Something that can be done, as somebody sees it, and whether it may be done again. */
  const scenes: Record<OpsAction, () => Promise<Pick<OpsAct, 'id' | 'version' | 'fields'>>> = {
    retry_job: job,
    give_up_job: job,
    resend_mail: failedMail,
    leave_mail_unsent: failedMail,
    create_practice: async () => ({
      id: '',
      version: 0,
      fields: { name: 'Fennmoor Family Practice', slug: `p-${randomUUID()}`, environment: 'production' },
    }),
    rename_practice: async () => ({
      id: await practice(),
      version: 0,
      fields: { name: 'Fennmoor Médecine' },
    }),
    invite_practice_admin: async () => ({
      id: await practice(),
      version: 0,
      fields: { email: `${randomUUID()}@practice.example` },
    }),
    create_staff: async () => ({
      id: '',
      version: 0,
      fields: { name: 'Robin Testwell', email: `${randomUUID()}@staff.example`, role: 'reviewer' },
    }),
    resend_staff_link: async () => staffAccount({ passwordHash: nobodysPassword }),
    request_staff_role: async () => ({ ...(await staffAccount({})), fields: { role: 'ops' } }),
    approve_staff_role: async () => roleRequest(await staff('ops')),
    reject_staff_role: async () => roleRequest(await staff('ops')),
    withdraw_staff_role: () => roleRequest(ops),
    remove_staff_role: () => staffAccount({}),
    disable_staff: () => staffAccount({}),
    enable_staff: () => staffAccount({ disabledAt: services.clock() }),
    suspend_practice: async () => ({ id: await practice(), version: 0 }),
    resume_practice: suspendedPractice,
    suspend_key: () => key(),
    resume_key: () => key({ suspendedAt: services.clock() }),
    revoke_key: () => key(),
    grant_key_limits: limitedKey,
    end_key_limits: limitedKey,
    suspend_client: () => client(false),
    resume_client: () => client(true),
    remove_client: () => client(false),
    check_chain: async () => ({ id: '', version: 0 }),
  }

  return { ops, staff, account, actorOf, practice, job, key, client, scenes, ownerEmail }
}
