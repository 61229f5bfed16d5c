import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Env } from '../env.ts'
import { connectionBudget } from './connection-budget.ts'

const page = readFileSync('docs/operations/postgresql.md', 'utf8')
const roles = ['web', 'api', 'portal', 'worker', 'all'] as const

/** A cell of the table, such as `DATABASE_POOL + 2 × T`. */
function compute(formula: string, { pool, threads }: { pool: number; threads: number }): number {
  return formula
    .split('+')
    .map((term) =>
      term
        .split('×')
        .map((factor) => ({ DATABASE_POOL: pool, T: threads })[factor.trim()] ?? Number(factor))
        .reduce((product, factor) => product * factor, 1),
    )
    .reduce((sum, term) => sum + term, 0)
}

it.each(roles)('the page states what a process with ROLE=%s opens', (role) => {
  const [, requests = '', lasting = ''] =
    new RegExp(`^\\| \`${role}\` \\| ([^|]+) \\| (\\d+) \\|$`, 'm').exec(page) ?? []

  for (const { pool, threads } of [
    { pool: 16, threads: 1 },
    { pool: 40, threads: 4 },
  ])
    expect(connectionBudget({ ROLE: role, DATABASE_POOL: pool } as Env, threads)).toEqual({
      requests: compute(requests, { pool, threads }),
      lasting: Number(lasting),
    })
})

it('the example of the page adds up', () => {
  const sumOf = (role: Env['ROLE']) => {
    const { requests, lasting } = connectionBudget({ ROLE: role, DATABASE_POOL: 16 }, 3)
    return requests + lasting
  }

  expect(page).toContain(`= ${2 * sumOf('web') + sumOf('worker')} connections`)
})
