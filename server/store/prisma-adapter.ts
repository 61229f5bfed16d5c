/** Prisma on our pool, with names for its statements. */
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { createStatementNames } from './statement-names.ts'

/** A list in a condition has a text for each length. Long ones would use up the names. */
const valuesMax = 32

/**
 * PostgreSQL parses and plans a statement without a name each time, which takes several times as long as most of
 * Prisma's run. BEGIN and its like have no values, and nothing to plan.
 */
export function createPrismaAdapter(pool: pg.Pool): PrismaPg {
  const nameOf = createStatementNames('prisma')
  return new PrismaPg(pool, {
    statementNameGenerator: ({ sql, args }) =>
      args.length > 0 && args.length <= valuesMax ? nameOf(sql, sql).name : '',
  })
}
