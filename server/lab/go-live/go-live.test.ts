import { beforeAll, expect, test } from 'vitest'
import { type TestServices, testServices } from '../../../tests/support/services.ts'
import { createTeams } from '../../../tests/support/team.ts'

let services: TestServices
const { makeTeam } = createTeams(() => services)

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
})

test('a key of the explorer, which lives for an hour, is none that has to be rotated', async () => {
  const { prisma, store, clock, goLive } = services
  const { organizationId, owner } = await makeTeam()
  const datasetId = await store.datasets.create({ name: 'own', kind: 'practice', source: 'test' })
  const practice = await prisma.practice.create({
    data: {
      slug: 'own',
      name: 'Own',
      environment: 'sandbox',
      purpose: 'organization_sandbox',
      organizationId,
      fhirEnabled: true,
      inDirectory: false,
      datasetId,
      createdAt: clock(),
    },
  })
  const makeKey = (explorer: boolean) =>
    prisma.apiKey.create({
      data: {
        prefix: explorer ? 'svc_aaaaaaaa' : 'svc_bbbbbbbb',
        secretHash: new Uint8Array(32).fill(explorer ? 1 : 2),
        name: 'A key',
        level: 'read_only',
        environment: 'sandbox',
        explorer,
        practiceId: practice.id,
        organizationId,
        createdById: owner.accountId,
        createdAt: clock(),
        expiresAt: new Date(clock().getTime() + 3_600_000),
      },
    })
  const renewal = async () =>
    (await goLive.report({ organizationId, accountId: owner.accountId })).findings.renewal.state

  await makeKey(true)
  expect(await renewal()).toBe('unseen')
  await makeKey(false)
  expect(await renewal()).toBe('act')
})
