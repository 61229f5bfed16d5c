/** The clinical store. Most functions take the dataset's id first. */
import type pg from 'pg'
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import { createBatchRead } from './batch-read.ts'
import { adoptOrphans, beginLoad, bulkLoad, storeRows } from './bulk-load.ts'
import { findForeignOwner } from './contents.ts'
import type { StoreCore } from './core.ts'
import { create, deleteOnceBefore } from './create.ts'
import {
  copyDataset,
  countResources,
  createDataset,
  findDataset,
  listNamedDatasets,
  listUnusedDatasets,
  markReady,
  removeDataset,
} from './datasets.ts'
import { deletePatient } from './delete-patient.ts'
import { createDictionary } from './dictionary.ts'
import { findDocument, listAttachments, putDocument } from './documents.ts'
import { createIndexVersions } from './index-versions.ts'
import { checkLive } from './live-check.ts'
import { findIdentified, findStored } from './lookup.ts'
import { countContents, moveContents } from './move-contents.ts'
import { findOrigins, renewOrigin } from './origins.ts'
import { chartState, findPopulation } from './population.ts'
import { reindex } from './reindex.ts'
import { type ContentStorage, inDatabase } from './s3-client.ts'
import { createSearch } from './search.ts'
import { createStatements } from './statements.ts'
import { sweepContents, sweepObjects } from './sweep-contents.ts'
import { write } from './write.ts'

interface StoreDependencies {
  pool: pg.Pool
  clock: () => Date
  /** Where document contents are stored; in the database by default. */
  contents?: ContentStorage | undefined
}

export function createStore({ pool, clock, contents = inDatabase }: StoreDependencies) {
  const statements = createStatements(pool)
  const versions = createIndexVersions(statements)
  const core: StoreCore = { statements, dictionary: createDictionary(statements), versions, clock, contents }
  const bind =
    <Rest extends unknown[], Result>(work: (core: StoreCore, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      work(core, ...rest)
  return {
    datasets: {
      create: bind(createDataset),
      markReady: bind(markReady),
      copy: bind(copyDataset),
      remove: bind(removeDataset),
      find: bind(findDataset),
      listNamed: bind(listNamedDatasets),
      listUnused: bind(listUnusedDatasets),
      counts: bind(countResources),
    },
    documents: {
      put: bind(putDocument),
      find: bind(findDocument),
      list: bind(listAttachments),
      sweep: bind(sweepContents),
      sweepObjects: bind(sweepObjects),
      count: bind(countContents),
      findForeignOwner: bind(findForeignOwner),
      move: bind(moveContents),
    },
    origins: { find: bind(findOrigins), renew: renewOrigin },
    ...createSearch(statements, createBatchRead(statements)),
    checkLive: bind(checkLive),
    findPopulation: bind(findPopulation),
    chartState: bind(chartState),
    readAll: bind(readAll),
    sample: bind(sample),
    findStored: bind(findStored),
    findIdentified: bind(findIdentified),
    readAcross: bind(readAcross),
    findAcross: bind(findAcross),
    write: bind(write),
    create: bind(create),
    deleteOnceBefore: (before: Date) => deleteOnceBefore(statements.run, before),
    bulkLoad: bind(bulkLoad),
    beginLoad: bind(beginLoad),
    storeRows: bind(storeRows),
    numbersFor: core.dictionary.numbersFor,
    indexNumbers: versions.ownNumbers,
    adoptOrphans: bind(adoptOrphans),
    deletePatient: bind(deletePatient),
    reindex: bind(reindex),
    offeredRows: versions.offeredRows,
    rowsBehind: versions.rowsBehind,
    countBehind: versions.countBehind,
    runLong: statements.runLong,
    onStatement: statements.onStatement,
  }
}

export type Store = ReturnType<typeof createStore>

// Some resources of a type, for pages that show which values a dataset has. They must not be shown unchanged.

/** Ordered by ID, so that the sample is stable. */
async function sample(core: StoreCore, datasetId: number, type: FhirType, limit: number): Promise<string[]> {
  const { run } = core.statements
  const { rows } = await run<{ content: string }>(datasetId, {
    name: 'sample',
    text: `SELECT content FROM clinical.resource
             WHERE dataset_id = $1 AND type = $2 AND NOT deleted ORDER BY id LIMIT $3`,
    values: [datasetId, fhirTypeNumbers[type], limit],
  })
  return rows.map(({ content }) => content)
}

/** The rows of one page, for tools that read a whole dataset. */
const pageRows = 1_000
/** Reads the contents of a type in the order of their ids, without deleted ones. */
async function* readAll(core: StoreCore, datasetId: number, type: FhirType): AsyncGenerator<string, void> {
  const { run } = core.statements
  let after = ''
  for (;;) {
    const { rows } = await run<{ id: string; content: string }>(datasetId, {
      name: 'read-all',
      text: `SELECT id, content FROM clinical.resource
               WHERE dataset_id = $1 AND type = $2 AND id > $3 AND NOT deleted ORDER BY id LIMIT ${pageRows}`,
      values: [datasetId, fhirTypeNumbers[type], after],
    })
    for (const { content } of rows) yield content
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageRows) return
    after = last.id
  }
}

/** The address of a resource for `findAcross`, which reads from many datasets in one statement for lists of practices. */
interface AddressAcross {
  readonly datasetId: number
  readonly type: FhirType
  readonly id: string
}
/** @returns by dataset, the contents of a type in the order of their ids, without deleted ones */
async function readAcross(core: StoreCore, datasetIds: readonly number[], type: FhirType) {
  const { runForMany } = core.statements
  const { rows } = await runForMany<{ datasetId: number; content: string }>(datasetIds, {
    name: 'read-across',
    text: `SELECT dataset_id AS "datasetId", content FROM clinical.resource
             WHERE dataset_id = ANY ($1::int[]) AND type = $2 AND NOT deleted ORDER BY dataset_id, id`,
    values: [datasetIds, fhirTypeNumbers[type]],
  })
  const texts = new Map<number, string[]>()
  for (const { datasetId, content } of rows) {
    texts.set(datasetId, [...(texts.get(datasetId) ?? []), content])
  }
  return texts
}

/** @returns the content at each address, in order; null if it does not exist */
async function findAcross(core: StoreCore, addresses: readonly AddressAcross[]) {
  const { runForMany } = core.statements
  const { rows } = await runForMany<{ content: string | null }>(
    addresses.map(({ datasetId }) => datasetId),
    {
      name: 'find-across',
      text: `SELECT r.content FROM unnest($1::int[], $2::smallint[], $3::text[])
                 WITH ORDINALITY AS w (dataset_id, type, id, at)
               LEFT JOIN clinical.resource r ON r.dataset_id = w.dataset_id AND r.type = w.type AND r.id = w.id
                 AND NOT r.deleted
               ORDER BY w.at`,
      values: [
        addresses.map(({ datasetId }) => datasetId),
        addresses.map(({ type }) => fhirTypeNumbers[type]),
        addresses.map(({ id }) => id),
      ],
    },
  )
  return rows.map(({ content }) => content)
}
