/** What holds whatever is sent: a promised answer, never a fault, and records that are whole. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { type OperationRow, operations } from '../../server/contract/rest/operations.ts'
import { errorSchema } from '../../server/contract/rest/records.ts'
import { type RandomRequest, randomQuery, randomWrite } from './random-requests.ts'
import type { RestStack } from './rest.ts'

const rows: OperationRow[] = Object.values(operations)

/** @param runs of each kind; the seed is fixed. */
export async function checkRandomRequests(stack: RestStack, { runs }: { runs: number }): Promise<void> {
  const writer = await stack.issueWriter()
  const before = await wholeRecords(stack, writer.datasetId)
  const made = new Set<string>()
  let requests = 0

  async function send({ path, body, name }: RandomRequest) {
    // Never more in a second or a minute than the key may.
    if (++requests % 50 === 0) stack.services.advance(1_000)
    const headers: Record<string, string> = name === undefined ? {} : { 'idempotency-key': name }
    return body === undefined
      ? stack.call(path, { key: writer.key })
      : stack.post(path, body, { key: writer.key, headers })
  }

  await fc.assert(
    fc.asyncProperty(randomWrite, async (request) => {
      const { status, body } = await send(request)
      const row = rows.find((each) => each.path === request.path && each.method === 'POST')

      expect([201, 400]).toContain(status)
      const schema = status === 201 ? row?.response : errorSchema
      expect(schema?.safeParse(body).success).toBe(true)
      if (status === 201) made.add(body.id)
    }),
    { seed: 20261121, numRuns: runs },
  )
  await fc.assert(
    fc.asyncProperty(randomQuery, async (request) => {
      const { status, body } = await send(request)
      const pattern = request.path.split('?')[0]?.replace('loc-main', '{id}')
      const row = rows.find((each) => each.path === pattern && each.method === 'GET')

      expect([200, 400]).toContain(status)
      expect((status === 200 ? row?.response : errorSchema)?.safeParse(body).success).toBe(true)
    }),
    { seed: 20261121, numRuns: runs },
  )

  const after = await wholeRecords(stack, writer.datasetId)
  // Every record has its Provenance, every patient a number and a place in the list, and nothing else came to be.
  expect(made.size).toBeGreaterThan(runs / 10)
  expect(after.records - before.records).toBe(made.size)
  expect(after.provenances - before.provenances).toBe(made.size)
  expect(after.listed - after.patients).toBe(before.listed - before.patients)
  expect(after.numbered - after.patients).toBe(before.numbered - before.patients)
  expect(after.codes).toBeLessThan(before.codes + 60)
}

async function wholeRecords({ services }: RestStack, datasetId: number) {
  const { rows: counts } = await services.database.ownerPool.query<{
    records: number
    provenances: number
    patients: number
    listed: number
    numbered: number
    codes: number
  }>(
    `SELECT count(*) FILTER (WHERE type <> 23)::int AS records, count(*) FILTER (WHERE type = 23)::int AS provenances,
       count(*) FILTER (WHERE type = 19)::int AS patients,
       (SELECT count(*)::int FROM clinical.roster WHERE dataset_id = $1 AND type = 19 AND ordinal = 0) AS listed,
       (SELECT count(DISTINCT id)::int FROM clinical.identifier WHERE dataset_id = $1 AND type = 19) AS numbered,
       (SELECT count(*)::int FROM clinical.dictionary) AS codes
     FROM clinical.resource WHERE dataset_id = $1`,
    [datasetId],
  )
  const [row] = counts
  if (!row) throw new Error('no counts')
  return row
}
