/** Staff in the operators' console: every role takes two operators, and one operator always remains. */
import { expect, it } from 'vitest'
import { operationsSupport, opsReason as reason } from '../../../tests/support/operations.ts'
import { testServices } from '../../../tests/support/services.ts'
import type { OpsAction } from '../../contract/portal/ops-actions.ts'
import { tokenInLink } from '../../contract/portal/paths.ts'
import type { Actor } from '../actor.ts'
import { findByToken, issue } from '../link-tokens/link-tokens.ts'
import type { ConsoleAction } from './perform.ts'

const services = await testServices({ template: 'schema' })
const made = await operationsSupport(services)
const first = made.ops
const second = await made.staff('ops')

type Scene = { id: string; version: number; fields?: Record<string, string> }
const perform = (action: ConsoleAction & OpsAction, scene: Scene, actor: Actor) =>
  services.operations.perform(action, { ...scene, reason }, actor)
const accountOf = (id: string) => services.prisma.account.findUniqueOrThrow({ where: { id } })
const requestOf = (accountId: string) =>
  services.prisma.staffRoleRequest.findFirstOrThrow({ where: { accountId }, orderBy: { createdAt: 'desc' } })
const auditOf = async (id: string) => {
  const rows = await services.prisma.auditEvent.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } })
  return rows.map(({ action }) => action)
}
const changes = () =>
  Promise.all([
    services.prisma.account.count(),
    services.prisma.staffRoleRequest.findMany({ orderBy: { id: 'asc' } }),
    services.prisma.auditEvent.count(),
    services.prisma.outboxMail.count(),
  ])

/** @returns the request's id */
async function requestReviewer(requester: Actor): Promise<{ request: Scene; accountId: string }> {
  const { id: accountId } = await made.account({
    realm: 'staff',
    email: `${crypto.randomUUID()}@staff.example`,
  })
  await perform('request_staff_role', { id: accountId, version: 0, fields: { role: 'reviewer' } }, requester)
  return { accountId, request: { id: (await requestOf(accountId)).id, version: 0 } }
}

it('a new reviewer gets the role and a link only when a second operator approves', async () => {
  const { prisma, accounts, mail } = services
  const email = 'ines@clinic.example'
  const fields = { email: 'Ines@Clinic.example', name: 'Inès Testwell', role: 'reviewer' }
  await perform('create_staff', { id: '', version: 0, fields }, first)
  const created = await prisma.account.findFirstOrThrow({ where: { email } })
  const request = { id: (await requestOf(created.id)).id, version: 0 }

  expect(created).toMatchObject({ realm: 'staff', staffRole: null })
  expect(await prisma.outboxMail.count({ where: { toAddress: email } })).toBe(0)
  await expect(perform('approve_staff_role', request, first)).rejects.toThrow(/Another operator/)
  await perform('approve_staff_role', request, second)

  expect(await accountOf(created.id)).toMatchObject({ staffRole: 'reviewer', version: 1 })
  expect(await requestOf(created.id)).toMatchObject({ state: 'approved', decidedById: second.accountId })
  const row = await prisma.outboxMail.findFirstOrThrow({ where: { toAddress: email } })
  expect(row).toMatchObject({ template: 'staff-invitation', props: { role: 'reviewer' } })
  const token = tokenInLink(Object.values(mail.openLinks(row))[0] ?? '') ?? ''
  const visitor = { ip: '192.0.2.1', userAgent: 'vitest', correlationId: 'staff-people' }
  expect(await accounts.resetPassword({ token, password: 'a heron on one leg' }, visitor)).toMatchObject({
    kind: 'changed',
    realm: 'staff',
  })
  expect((await auditOf(created.id)).slice(0, 2)).toEqual(['staff.created', 'staff.role_granted'])
})

it('nobody approves or rejects an own request, grants a role to themselves, or withdraws another person’s request', async () => {
  const { request } = await requestReviewer(first)
  await perform(
    'request_staff_role',
    { id: second.accountId, version: 0, fields: { role: 'reviewer' } },
    first,
  )
  const about = { id: (await requestOf(second.accountId)).id, version: 0 }
  const before = await changes()

  for (const [action, scene, actor] of [
    ['approve_staff_role', request, first],
    ['reject_staff_role', request, first],
    ['withdraw_staff_role', request, second],
    ['approve_staff_role', about, second],
    ['reject_staff_role', about, second],
    ['request_staff_role', { id: first.accountId, version: 0, fields: { role: 'reviewer' } }, first],
  ] as const)
    await expect(perform(action, scene, actor), action).rejects.toMatchObject({ kind: 'conflict' })

  expect(await changes()).toEqual(before)
  await perform('withdraw_staff_role', about, first)
})

it('the database refuses an approval by one person alone', async () => {
  const { request } = await requestReviewer(first)
  const decidedById = first.accountId

  await expect(
    services.prisma.staffRoleRequest.update({
      where: { id: request.id },
      data: { state: 'approved', decidedById },
    }),
  ).rejects.toThrow(/staff_role_request_two_persons/)
})

it('a request expires after seven days; then the role can be requested again', async () => {
  const { request, accountId } = await requestReviewer(first)
  const now = services.clock()
  const expire = (expiresAt: Date) =>
    services.prisma.staffRoleRequest.update({ where: { id: request.id }, data: { expiresAt } })

  const { createdAt, expiresAt } = await requestOf(accountId)
  expect(expiresAt.getTime() - createdAt.getTime()).toBe(7 * 86_400_000)
  await expire(new Date(now.getTime() - 1))
  for (const action of ['approve_staff_role', 'reject_staff_role'] as const)
    await expect(perform(action, request, second)).rejects.toThrow(/expired/)
  await perform('request_staff_role', { id: accountId, version: 0, fields: { role: 'ops' } }, first)

  expect((await accountOf(accountId)).staffRole).toBeNull()
  expect(
    await services.prisma.staffRoleRequest.findMany({ where: { accountId }, orderBy: { id: 'asc' } }),
  ).toMatchObject([{ state: 'expired' }, { state: 'open', role: 'ops' }])
})

it('a request by a person who is no operator any more is not approved', async () => {
  const third = await made.staff('ops')
  const { request } = await requestReviewer(third)
  await perform('remove_staff_role', { id: third.accountId, version: 0 }, first)

  await expect(perform('approve_staff_role', request, second)).rejects.toThrow(/not an operator now/)
  await perform('reject_staff_role', request, second)
})

it('disabling an account ends its sessions, links, role and requests; enabling it gives no role back', async () => {
  const { prisma, core, clock } = services
  const { accountId: id } = await made.staff('reviewer')
  const now = clock()
  const expiresAt = new Date(now.getTime() + 86_400_000)
  await prisma.session.create({
    data: {
      idHash: id,
      realm: 'staff',
      accountId: id,
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt,
      ip: '192.0.2.9',
      userAgent: 'vitest',
    },
  })
  const token = await prisma.$transaction((tx) =>
    issue(core, tx, { kind: 'reset_password', accountId: id, expiresAt, now }),
  )
  await perform('request_staff_role', { id, version: 0, fields: { role: 'ops' } }, first)

  await perform('disable_staff', { id, version: 0 }, second)

  expect(await prisma.session.count({ where: { accountId: id } })).toBe(0)
  expect((await findByToken(prisma, token))?.replacedAt).not.toBeNull()
  expect(await requestOf(id)).toMatchObject({ state: 'cancelled' })
  expect(await accountOf(id)).toMatchObject({ staffRole: null, version: 1 })
  await perform('enable_staff', { id, version: 1 }, second)
  expect(await accountOf(id)).toMatchObject({ disabledAt: null, staffRole: null, version: 2 })
  expect(await auditOf(id)).toEqual(['staff.role_requested', 'staff.disabled', 'staff.enabled'])
})

it('an account that changed since it was looked at, a demonstration account and other realms are left alone', async () => {
  const { id } = await made.account({ realm: 'staff', email: 'changed@staff.example', staffRole: 'reviewer' })
  const developer = await made.account({ realm: 'developer', email: 'dev@people.example' })
  const acts = ['request_staff_role', 'remove_staff_role', 'disable_staff', 'enable_staff'] as const
  const fields = { role: 'ops' }
  for (const action of acts) {
    await services.prisma.account.update({ where: { id }, data: { version: 3, isDemo: false } })
    await expect(perform(action, { id, version: 2, fields }, first)).rejects.toThrow(
      /changed in the meantime/,
    )
    await services.prisma.account.update({ where: { id }, data: { isDemo: true } })
    await expect(perform(action, { id, version: 3, fields }, first)).rejects.toThrow(/demonstration/)
    await expect(perform(action, { id: developer.id, version: 0, fields }, first)).rejects.toMatchObject({
      kind: 'not_found',
    })
  }
})

it.each([
  ['create_staff', {}, 'email'],
  ['create_staff', { email: 'kim@clinic.example' }, 'name'],
  ['create_staff', { email: 'kim@clinic.example', name: 'Kim' }, 'role'],
  ['create_staff', { email: 'kim@clinic.example', name: 'Kim', role: 'admin' }, 'role'],
  ['request_staff_role', {}, 'role'],
] as const)('%s with %j is refused with its field, and changes nothing', async (action, fields, field) => {
  const scene = await made.scenes[action]()
  const before = await changes()

  await expect(perform(action, { ...scene, fields }, first)).rejects.toMatchObject({
    kind: 'validation',
    field,
  })

  expect(await changes()).toEqual(before)
})

it('staff are searched by name and address, with the open requests', async () => {
  const { request, accountId } = await requestReviewer(first)
  const { email } = await accountOf(accountId)

  const { listed, requests } = await services.operations.people.list({ q: email, page: 1 }, second)

  expect(listed.rows).toMatchObject([{ id: accountId, role: null, state: 'active', roleRequested: true }])
  expect(requests.find(({ id }) => id === request.id)).toMatchObject({ own: false, decidable: true, reason })
  const seenByFirst = await services.operations.people.list({ q: '', page: 1 }, first)
  expect(seenByFirst.requests.find(({ id }) => id === request.id)).toMatchObject({
    own: true,
    decidable: false,
  })
})

it('of the last two operators who remove each other at once, one remains', async () => {
  const { prisma } = services
  const others = {
    realm: 'staff' as const,
    staffRole: 'ops' as const,
    id: { notIn: [first.accountId, second.accountId] },
  }
  await prisma.account.updateMany({ where: others, data: { disabledAt: services.clock() } })
  // These two cannot sign in, or only for demonstrations.
  await made
    .account({ realm: 'staff', email: 'demo@staff.example', staffRole: 'ops' })
    .then(({ id }) => prisma.account.update({ where: { id }, data: { isDemo: true } }))
  await made
    .account({ realm: 'staff', email: 'new@staff.example', staffRole: 'ops' })
    .then(({ id }) => prisma.account.update({ where: { id }, data: { passwordHash: 'none' } }))
  const version = async ({ accountId: id }: Actor) => ({ id, version: (await accountOf(id)).version })
  const [one, two] = await Promise.all([version(first), version(second)])

  const done = await Promise.allSettled([
    perform('disable_staff', two, first),
    perform('remove_staff_role', one, second),
  ])

  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const [last] = await prisma.account.findMany({
    where: { id: { in: [one.id, two.id] }, staffRole: 'ops', disabledAt: null },
  })
  if (!last) throw new Error('nobody remained')
  const own = { id: last.id, version: last.version }
  for (const action of ['disable_staff', 'remove_staff_role'] as const)
    await expect(perform(action, own, made.actorOf(last.id))).rejects.toThrow(/last active operator/)
})
