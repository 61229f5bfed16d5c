import { expect, test } from 'vitest'
import { bulkStack } from '../support/bulk.ts'

test('an export whose storage or database is away is run again for five minutes, and fails only then', async () => {
  const stack = await bulkStack()
  const { exportRuns, prisma } = stack.services
  const { token } = await stack.issueToken({ audience: 'backend' })
  const url = stack.statusOf(await stack.kickOff(token))
  const id = url.slice(url.lastIndexOf('/') + 1)

  for (const attempt of [1, 2, 3, 4, 5]) expect(await exportRuns.begin(id)).toMatchObject({ attempt })
  stack.services.advance(5 * 60_000 + 1)

  expect(await exportRuns.begin(id)).toBeNull()
  expect((await prisma.bulkExport.findUniqueOrThrow({ where: { id } })).state).toBe('failed')
})
