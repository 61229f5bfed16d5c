import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { operationsSupport } from '../../../tests/support/operations.ts'
import { testServices } from '../../../tests/support/services.ts'
import { findHistory } from './history.ts'

test('keys that the explorer minted are none of an organization’s sandbox keys', async () => {
  const services = await testServices({ template: 'schema' })
  const { prisma, clock } = services
  const { key } = await operationsSupport(services)
  const { id } = await key()
  await key({ explorer: true })
  const { organizationId } = await prisma.apiKey.findUniqueOrThrow({ where: { id } })
  if (organizationId === null) throw new Error('the key has no organization')

  const history = await findHistory(
    prisma,
    { id: randomUUID(), organizationId, practiceId: randomUUID() },
    clock(),
  )

  expect(history.sandboxKeys).toBe(1)
})
