import { expect, test } from 'vitest'
import { keyRequestForm } from '../../../tests/support/key-request.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'
import type { Actor } from '../actor.ts'

const hour = 3_600_000
const teams = createTeams(() => services)

const services = await testServices()

function request(organizationId: string, actor: Actor, level: 'read_only' | 'full') {
  return services.keys.requestSandboxKey(keyRequestForm(services, organizationId, { level }), actor)
}

async function provided(level: 'read_only' | 'full') {
  const { owner, organizationId } = await teams.makeTeam()
  const { requestId } = await request(organizationId, owner.actor, level)
  await services.keys.provision(requestId)
  return { organizationId }
}

test('the address of a new sandbox tells nothing, and its public pages name no organization', async () => {
  const { organizationId } = await teams.makeTeam()
  const { slug, name } = await services.sandboxes.ensure(organizationId, { writable: false })

  expect(slug).toMatch(/^sandbox-[0-9a-f]{20}$/)
  expect(name).toBe('Samplewood Health Apps sandbox')
  expect(await services.directory.findBase(slug)).toEqual({
    slug,
    name: 'Developer sandbox',
    environment: 'sandbox',
  })
  // An address of earlier releases goes on, and no longer tells whose it is.
  const old = { slug: 'samplewood-health-apps-sandbox', name: 'Samplewood Health Apps sandbox' }
  await services.prisma.practice.updateMany({ where: { organizationId }, data: old })
  expect(await services.directory.findBase(old.slug)).toMatchObject({ name: 'Developer sandbox' })
  expect((await services.sandboxes.ensure(organizationId, { writable: false })).slug).toBe(old.slug)
})

test('read-only keys share the template dataset and the first full key makes a copy', async () => {
  const readOnly = await provided('read_only')
  const full = await provided('full')
  const template = await services.prisma.practice.findFirstOrThrow({ where: { purpose: 'template' } })

  const [shared, own] = await Promise.all(
    [readOnly, full].map(({ organizationId }) =>
      services.prisma.practice.findFirstOrThrow({ where: { organizationId } }),
    ),
  )

  expect(shared?.datasetId).toBe(template.datasetId)
  expect(own?.datasetId).not.toBe(template.datasetId)
  expect(await services.store.datasets.counts(own?.datasetId ?? 0)).toEqual(
    await services.store.datasets.counts(template.datasetId),
  )
})

test('two full keys provided at once end with one copy', async () => {
  const { owner, organizationId } = await teams.makeTeam()
  const requests = await Promise.all([1, 2].map(() => request(organizationId, owner.actor, 'full')))

  await Promise.all(requests.map(({ requestId }) => services.keys.provision(requestId)))

  const practice = await services.prisma.practice.findFirstOrThrow({ where: { organizationId } })
  expect(await services.store.datasets.listNamed(practice.slug)).toHaveLength(1)
})

test('a leftover copy of a killed provisioning is deleted, a used one is not', async () => {
  const { organizationId } = await provided('full')
  const template = await services.prisma.practice.findFirstOrThrow({ where: { purpose: 'template' } })
  const leftover = await services.store.datasets.copy(template.datasetId, {
    name: 'leftover',
    kind: 'practice',
  })
  services.advance(2 * hour)

  await services.sandboxes.deleteUnusedCopies(new Date(services.clock().getTime() - hour))

  const practice = await services.prisma.practice.findFirstOrThrow({ where: { organizationId } })
  expect(await services.store.datasets.find(leftover)).toBeNull()
  expect(await services.store.datasets.find(practice.datasetId)).not.toBeNull()
})
