import { expect, test } from 'vitest'
import { testServices } from '../../tests/support/services.ts'
import { withRetry } from './retry.ts'

const services = await testServices({ template: 'schema' })

async function practice(name: string): Promise<string> {
  const { id } = await services.prisma.practice.create({
    data: {
      slug: `office-of-the-${name}`,
      name,
      environment: 'production',
      fhirEnabled: true,
      inDirectory: false,
      purpose: 'office',
      datasetId: 1,
      createdAt: services.clock(),
    },
  })
  return id
}

test('two that hold what the other waits for are both done, each once', async () => {
  const { prisma } = services
  const made = await Promise.all(['first', 'second'].map(practice))
  const [one = '', two = ''] = made
  let holding = 0
  let runs = 0
  let meet = () => {}
  const met = new Promise<void>((resolve) => (meet = resolve))
  const through = (first: string, second: string) =>
    withRetry(prisma, async (tx) => {
      runs += 1
      await tx.$queryRaw`SELECT 1 FROM portal.practice WHERE id = ${first}::uuid FOR UPDATE`
      holding += 1
      if (holding === 2) meet()
      await met
      await tx.$queryRaw`SELECT 1 FROM portal.practice WHERE id = ${second}::uuid FOR UPDATE`
      await tx.$executeRaw`UPDATE portal.practice SET name = name || '!' WHERE id = ${second}::uuid`
      return first
    })

  expect(await Promise.all([through(one, two), through(two, one)])).toEqual([one, two])

  // The one that was broken off may lock its first row again before the other wakes, which breaks one off once more.
  expect(runs).toBeGreaterThanOrEqual(3)
  const names = await prisma.practice.findMany({ where: { id: { in: made } }, orderBy: { name: 'asc' } })
  expect(names.map(({ name }) => name)).toEqual(['first!', 'second!'])
})

test('what fails for another reason is not done again', async () => {
  let runs = 0
  const failing = withRetry(services.prisma, async (tx) => {
    runs += 1
    await tx.$executeRaw`SELECT 1 / 0`
  })
  await expect(failing).rejects.toThrow()
  expect(runs).toBe(1)
})
