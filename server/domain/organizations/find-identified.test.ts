/** Identifiers lead members to their own keys, apps and requests, and nobody else to anything. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createKeyOwners } from '../../../tests/support/key-owners.ts'
import { restStack } from '../../../tests/support/rest.ts'
import { createTeams } from '../../../tests/support/team.ts'
import { readIdentifier } from '../../contract/portal/identifiers.ts'
import { paths } from '../../contract/portal/paths.ts'

const teams = createTeams(() => stack.services)
const owners = createKeyOwners(() => stack, teams)

const stack = await restStack()

async function find(text: string, accountId: string): Promise<string | null> {
  const identifier = readIdentifier(text)
  return identifier && stack.services.organizations.findIdentified({ identifier, accountId })
}

async function slugOf(organizationId: string): Promise<string> {
  return (await stack.services.prisma.organization.findUniqueOrThrow({ where: { id: organizationId } })).slug
}

/** A call with a key. @returns its correlation id */
async function call(key: string): Promise<string> {
  const { headers } = await stack.call('/context', { key })
  await stack.services.recorder.flush()
  return headers.get('x-correlation-id') ?? ''
}

test('a prefix, or a whole key pasted by mistake, leads members to the key', async () => {
  const own = await owners.ownedKey()
  const member = await teams.addMember(own.organizationId, 'viewer')
  const page = paths.organizationKey(await slugOf(own.organizationId), own.id)

  expect(await find(own.key.slice(0, 12), own.owner.accountId)).toBe(page)
  expect(await find(`  ${own.key} `, member.accountId)).toBe(page)
  expect(JSON.stringify(readIdentifier(own.key))).not.toContain(own.key.slice(12, 20))
})

test('a client id leads to the app', async () => {
  const { organizationId, owner } = await teams.makeTeam()
  const clientId = `sbx-${randomUUID().replaceAll('-', '').slice(0, 24)}`
  await stack.services.prisma.client.create({
    data: {
      id: clientId,
      appId: randomUUID(),
      organizationId,
      environment: 'sandbox',
      audience: 'patient',
      authentication: 'none',
      name: 'Sample app',
      scope: 'launch/patient',
      createdAt: stack.services.clock(),
    },
  })

  expect(await find(clientId, owner.accountId)).toBe(paths.app(await slugOf(organizationId), clientId))
})

test('what belongs to others is not found, and neither is what is not there', async () => {
  const theirs = await owners.ownedKey()
  const theirCall = await call(theirs.key)
  const { owner } = await teams.makeTeam()

  for (const text of [
    theirs.key.slice(0, 12),
    theirCall,
    'svc_tAbCdEf1',
    randomUUID(),
    `app-${'0'.repeat(24)}`,
  ])
    expect(await find(text, owner.accountId), text).toBeNull()
})

test('who has left the organization finds nothing of it', async () => {
  const own = await owners.ownedKey()
  const member = await teams.addMember(own.organizationId, 'developer')
  await stack.services.prisma.membership.deleteMany({ where: { accountId: member.accountId } })

  expect(await find(own.key.slice(0, 12), member.accountId)).toBeNull()
})

test.each([
  '',
  'svc_t',
  'pagination',
  'svc_tAbCdEf1 and more',
  `${'a'.repeat(200)}`,
  '../../staff',
  'app-1234',
])('“%s” is no identifier', (text) => {
  expect(readIdentifier(text)).toBeNull()
})
