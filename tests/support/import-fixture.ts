/** What tests of an import need: practices, files, and a look at what became of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type ImportOptions, importResources } from '../../seed/import/import.ts'
import type { Rejected } from '../../seed/import/report.ts'
import type { FhirType } from '../../server/contract/fhir/registry.ts'
import { planRead } from '../../server/search/lists.ts'
import { noLiveness } from '../../server/store/liveness.ts'
import { createStore, type Store } from '../../server/store/store.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { examplePatient } from './example-resources.ts'

const clock = () => new Date('2026-11-20T12:00:00.000Z')

export function createImportFixture() {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-import-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  let database: TestDatabase
  let store: Store
  let count = 0

  async function open(): Promise<{ database: TestDatabase; store: Store }> {
    database = await testDatabase('schema')
    store = createStore({ pool: database.pool, clock })
    return { database, store }
  }

  /** A practice with one patient, `pt-1`. @returns its slug */
  async function practice({ environment = 'sandbox' as 'sandbox' | 'production' } = {}): Promise<string> {
    count += 1
    const slug = `practice-${count}`
    const datasetId = await store.datasets.create({ name: slug, kind: 'practice', source: 'test' })
    await store.write(datasetId, [examplePatient({ id: 'pt-1', family: 'Here' })], { liveness: noLiveness })
    await store.datasets.markReady(datasetId)
    await database.prisma.practice.create({
      data: {
        slug,
        name: slug,
        environment,
        fhirEnabled: true,
        inDirectory: true,
        purpose: 'office',
        datasetId,
        createdAt: clock(),
      },
    })
    return slug
  }

  /** @returns its path */
  function file(name: string, content: string | Buffer): string {
    count += 1
    const path = join(folder, `${count}-${name}`)
    writeFileSync(path, content)
    return path
  }

  const ndjson = (...resources: object[]) =>
    file('some.ndjson', resources.map((resource) => `${JSON.stringify(resource)}\n`).join(''))

  const bundle = (type: string, ...entry: object[]) =>
    file('bundle.json', JSON.stringify({ resourceType: 'Bundle', type, entry }, null, 2))

  /** @returns the report, and every refusal as `line: reason` */
  async function load(slug: string, paths: string[], options: Partial<ImportOptions> = {}) {
    const rejected: Rejected[] = []
    const report = await importResources(
      { pool: database.pool, prisma: database.prisma, store },
      { practice: slug, paths, synthetic: true, onReject: (each) => rejected.push(each), ...options },
    )
    return { report, rejected, reasons: rejected.map(({ line, reason }) => `${line}: ${reason}`) }
  }

  const datasetOf = async (slug: string) =>
    (await database.prisma.practice.findUniqueOrThrow({ where: { slug } })).datasetId

  /** As it is stored; empty when it is not there. */
  async function text(slug: string, type: FhirType, id: string): Promise<string> {
    const { resource } = await store.read(await datasetOf(slug), planRead(type as 'Patient', id), noLiveness)
    return String(resource?.content ?? '')
  }

  const counts = async (slug: string) => store.datasets.counts(await datasetOf(slug))

  return { open, practice, file, ndjson, bundle, load, datasetOf, text, counts }
}

export const observation = (id: string, patient: string, more: object = {}) => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  subject: { reference: patient },
  ...more,
})
