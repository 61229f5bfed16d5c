/** Whether what pages show began with a history that the seed made up. */
import type { Core } from '../core.ts'

/** Asked for every page of a demonstration; elsewhere the answer needs no database. */
export async function hasMadeUpHistory({ env, prisma }: Core): Promise<boolean> {
  return (await madeUpUntil({ env, prisma })) !== null
}

/** What is older than this moment did not happen; null: all of it did. */
export async function madeUpUntil({ env, prisma }: Pick<Core, 'env' | 'prisma'>): Promise<Date | null> {
  if (!env.demoSignIns) return null
  const row = await prisma.demonstration.findUnique({ where: { id: 1 } })
  return row?.state === 'whole' ? row.at : null
}
