import pg from 'pg'
import { PrismaClient } from '../../prisma/generated/client/client.ts'
import { seedDatabase } from '../../seed/load.ts'
import { castSeed } from '../../seed/options.ts'
import { createPrismaAdapter } from '../../server/store/database-client.ts'
import type { DatabaseUrls } from '../../server/store/roles.ts'

/**
 * Loads the cast, the small set of pinned people and practices, into the template from which every test
 * database is copied. Must stay under 20 MB.
 */
export async function loadCast({ appUrl }: DatabaseUrls): Promise<void> {
  // Not the server's pool: that one gives up after a second, which a busy machine may take.
  const pool = new pg.Pool({ connectionString: appUrl, max: 4 })
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) })
  try {
    await seedDatabase({ pool, prisma, clock: () => new Date('2026-11-20T12:00:00.000Z') }, castSeed)
  } finally {
    await prisma.$disconnect()
    await pool.end()
  }
}
