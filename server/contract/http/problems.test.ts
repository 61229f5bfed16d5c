import { describe, expect, test } from 'vitest'
import { type ProblemKind, type ProblemRow, problems, toProblem } from './problems.ts'

const rows = Object.entries(problems) as [ProblemKind, ProblemRow][]

describe('problems', () => {
  test.each(rows)('%s has a public sentence', (_kind, row) => {
    expect(row.message).toMatch(/^[A-Z].+\.$/)
  })

  test('every refusal of one status and code has one FHIR issue code', () => {
    const seen = new Map<string, string>()

    for (const [, row] of rows) {
      const key = `${row.status} ${row.restCode}`
      expect(seen.get(key) ?? row.fhirIssue).toBe(row.fhirIssue)
      seen.set(key, row.fhirIssue)
    }
  })

  test('one code never stands for two statuses', () => {
    const statuses = new Map<string, number>()

    for (const [, row] of rows) {
      expect(statuses.get(row.restCode) ?? row.status).toBe(row.status)
      statuses.set(row.restCode, row.status)
    }
  })
})

describe('Problem', () => {
  test('an error that passes by itself is unavailable with a time to retry, however deep it lies', () => {
    const driver = { cause: { originalCode: '53100', kind: 'postgres' } }
    const prisma = Object.assign(new Error('Raw query failed'), { meta: { driverAdapterError: driver } })
    const system = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

    for (const thrown of [prisma, new Error('the list', { cause: prisma }), system])
      expect(toProblem(thrown)).toMatchObject({ kind: 'unavailable', retryAfterSeconds: expect.any(Number) })
    expect(toProblem(prisma).detail).toBe('disk full')
  })

  test('an object storage that is away is not taken for the database, whose errors have the same codes', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const storage = Object.assign(new Error('away', { cause }), { code: 'EOBJECTSTORAGE' })

    for (const thrown of [storage, new Error('the list', { cause: storage })])
      expect(toProblem(thrown)).toMatchObject({ detail: 'object storage away', retryAfterSeconds: 30 })
  })

  test('a missing file and a broken statement are faults of ours', () => {
    const file = Object.assign(new Error("ENOENT: no such file, open '/x'"), {
      code: 'ENOENT',
      syscall: 'open',
    })
    const statement = Object.assign(new Error('division by zero'), { code: '22012' })

    for (const thrown of [file, statement, 'text', null]) expect(toProblem(thrown).kind).toBe('internal')
  })
})
