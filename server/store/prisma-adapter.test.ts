import { expect, test } from 'vitest'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { testDatabase } from '../../tests/support/database.ts'
import { createPrismaAdapter } from './database-client.ts'
import { createPool } from './pool.ts'

const database = await testDatabase('schema')

/** On one connection, so that all its prepared statements can be listed. */
async function withPrisma(work: (prisma: PrismaClient) => Promise<void>): Promise<void> {
  const pool = createPool({ connectionString: database.appUrl, max: 1 })
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) })
  try {
    await work(prisma)
  } finally {
    await prisma.$disconnect()
    await pool.end()
  }
}

const listPrepared = (prisma: PrismaClient) =>
  prisma.$queryRawUnsafe<{ statement: string; runs: bigint }[]>(
    `SELECT statement, generic_plans + custom_plans AS runs FROM pg_prepared_statements WHERE name LIKE 'prisma:%'`,
  )

test('a statement that Prisma repeats is prepared once, in and outside of transactions', async () => {
  await withPrisma(async (prisma) => {
    for (let at = 0; at < 4; at++) await prisma.practice.findMany({ where: { slug: `practice-${at}` } })
    await prisma.$transaction((tx) => tx.practice.findMany({ where: { slug: 'practice-4' } }))

    const prepared = await listPrepared(prisma)

    expect(prepared.map(({ runs }) => runs)).toEqual([3n])
    expect(prepared[0]?.statement).toContain('"portal"."practice"')
  })
})

test('a connection keeps its statements while a migration adds columns to their tables', async () => {
  await withPrisma(async (prisma) => {
    const list = () => prisma.practice.findMany({ where: { slug: 'practice' } })
    for (let at = 0; at < 7; at++) await list()

    await database.ownerPool.query('ALTER TABLE portal.practice ADD COLUMN added_meanwhile text')

    expect(await list()).toEqual([])
    expect((await listPrepared(prisma)).map(({ runs }) => runs)).toEqual([6n])
  })
})

test('lists of every length do not use up the names', async () => {
  await withPrisma(async (prisma) => {
    for (let round = 0; round < 3; round++) {
      for (let length = 1; length <= 60; length++)
        await prisma.practice.findMany({
          where: { slug: { in: Array.from({ length }, (_, at) => `practice-${at}`) } },
          select: { id: true },
        })
    }

    expect(await listPrepared(prisma)).toHaveLength(31)
  })
})
