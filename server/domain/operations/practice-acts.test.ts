/** Practices in the operators' console: created, renamed, and given an admin. */
import { expect, it } from 'vitest'
import { operationsSupport, opsReason as reason } from '../../../tests/support/operations.ts'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { tokenInLink } from '../../contract/portal/paths.ts'

const services = await testServices({ template: 'schema' })
const made = await operationsSupport(services)

type Given = Parameters<TestServices['operations']['perform']>[1]
const perform = (action: 'create_practice' | 'rename_practice' | 'invite_practice_admin', given: Given) =>
  services.operations.perform(action, given, made.ops)

const counts = () =>
  Promise.all([
    services.prisma.practice.count(),
    services.prisma.practiceInvitation.count(),
    services.prisma.auditEvent.count(),
    services.prisma.outboxMail.count(),
  ])

it.each([
  ['create_practice', {}, 'name'],
  ['create_practice', { name: 'A' }, 'slug'],
  ['create_practice', { name: 'A', slug: 'Größe' }, 'slug'],
  ['create_practice', { name: 'A', slug: 'a', environment: 'staging' }, 'environment'],
  ['create_practice', { name: 'See https://evil.example', slug: 'a' }, 'name'],
  ['rename_practice', { name: '  ' }, 'name'],
  ['invite_practice_admin', { email: 'nobody' }, 'email'],
] as const)('%s with %j is refused with its field, and changes nothing', async (action, fields, field) => {
  const scene = await made.scenes[action]()
  const before = await counts()

  await expect(perform(action, { ...scene, reason, fields })).rejects.toMatchObject({
    kind: 'validation',
    field,
  })

  expect(await counts()).toEqual(before)
})

it('a practice that changed since it was looked at is neither renamed nor given an admin', async () => {
  for (const action of ['rename_practice', 'invite_practice_admin'] as const) {
    const scene = await made.scenes[action]()
    await services.prisma.practice.update({ where: { id: scene.id }, data: { version: 1 } })

    await expect(perform(action, { ...scene, reason })).rejects.toMatchObject({ kind: 'conflict' })
  }
})

it('practices of Sandpiper itself and of developers keep their name and have no admin', async () => {
  for (const action of ['rename_practice', 'invite_practice_admin'] as const) {
    const scene = await made.scenes[action]()
    await services.prisma.practice.update({ where: { id: scene.id }, data: { purpose: 'template' } })

    await expect(perform(action, { ...scene, reason })).rejects.toMatchObject({ kind: 'conflict' })
  }
})

it('a practice is created, renamed and given an admin, who accepts the invitation', async () => {
  const { prisma, practiceStaff, mail } = services
  const visitor = { ip: '192.0.2.1', userAgent: 'vitest', correlationId: 'practice-acts' }
  const email = 'theo@fennmoor.example'
  const fields = { name: 'Fennmoor', slug: 'fennmoor', environment: 'production' }
  await perform('create_practice', { id: '', version: 0, reason, fields })
  const { id } = await prisma.practice.findUniqueOrThrow({ where: { slug: 'fennmoor' } })
  await perform('rename_practice', { id, version: 0, reason, fields: { name: 'Fennmoor Médecine' } })
  await perform('invite_practice_admin', { id, version: 1, reason, fields: { email } })

  const row = await prisma.outboxMail.findFirstOrThrow({ where: { toAddress: email } })
  const token = tokenInLink(Object.values(mail.openLinks(row))[0] ?? '') ?? ''
  const password = 'a heron on one leg'
  const accepted = await practiceStaff.acceptAsNew({ token, name: 'Theo Testwell', password }, visitor)

  expect(row.props).toMatchObject({ practiceName: 'Fennmoor Médecine', invitedBy: 'Kim Placeholder' })
  expect(accepted).toEqual({ kind: 'accepted' })
  expect(await prisma.practiceMembership.findMany({ where: { practiceId: id } })).toMatchObject([
    { role: 'admin' },
  ])
  const audit = await prisma.auditEvent.findMany({ where: { practiceId: id }, orderBy: { id: 'asc' } })
  expect(audit.map(({ action }) => action)).toEqual([
    'practice.created',
    'practice.renamed',
    'practice_staff.invited',
    'practice_staff.joined',
  ])
})
