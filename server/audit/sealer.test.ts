import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServices, testServices } from '../../tests/support/services.ts'
import { createSealer, type Sealer } from './sealer.ts'

let services: TestServices
let sealer: Sealer
let headFolder: string

beforeAll(async () => {
  services = await testServices({ template: 'schema' })
  headFolder = await mkdtemp(join(tmpdir(), 'audit-heads-'))
  sealer = createSealer({ ...services, headFolder })
})

afterAll(() => rm(headFolder, { recursive: true }))

const append = (action: string) =>
  services.prisma.$transaction((tx) =>
    services.portalAudit.append(tx, {
      ...services.portalAudit.system(),
      action,
      subject: { kind: 'test', id: null },
      detail: { zulu: 1, alpha: { yankee: [1, { bravo: 'Zoë', able: null }], x: true } },
    }),
  )

test('a chain of rows is intact until one is changed, removed, or cut off, and several sealers make one chain', async () => {
  for (let round = 0; round < 6; round++)
    await Promise.all([1, 2, 3, 4, 5].map((place) => append(`test.done_${round}_${place}`)))
  await Promise.all([sealer.seal(), sealer.seal(), createSealer({ ...services, headFolder }).seal()])
  await sealer.seal()
  expect(await sealer.writeHead()).toBe(true)
  expect(await sealer.writeHead()).toBe(false)
  await append('test.late')
  expect(await sealer.verify()).toEqual({ intact: true, sealed: 30, waiting: 1, heads: 1 })
  await sealer.seal()
  expect(await sealer.verify()).toEqual({ intact: true, sealed: 31, waiting: 0, heads: 1 })
  expect(await readdir(headFolder)).toEqual(['2026-11-20.json'])

  const owner = services.database.ownerPool
  const change = (sql: string) => owner.query(sql)
  await change(`UPDATE portal.audit_event SET detail = '{"zulu": 2}' WHERE chain_number = 7`)
  expect(await sealer.verify()).toEqual({ intact: false, number: '7', reason: 'the row was changed' })
  await change(
    `UPDATE portal.audit_event SET detail = (SELECT detail FROM portal.audit_event WHERE chain_number = 8) WHERE chain_number = 7`,
  )
  expect(await sealer.verify()).toMatchObject({ intact: true })
  await change('DELETE FROM portal.audit_event WHERE chain_number > 20')
  expect(await sealer.verify()).toMatchObject({ intact: false, number: '30' })
  await change('DELETE FROM portal.audit_event WHERE chain_number = 5')
  expect(await sealer.verify()).toEqual({ intact: false, number: '5', reason: 'a row is missing' })
})

test('the server may seal a row, and change nothing else of it', async () => {
  const forbidden = services.pool.query(`UPDATE portal.audit_event SET action = 'nothing.happened'`)

  await expect(forbidden).rejects.toThrow(/permission denied/)
})
