/** The clinical store. Every function takes the dataset first. */
import type pg from 'pg'
import { createBatchRead } from './batch-read.ts'
import { adoptOrphans, beginLoad, bulkLoad, storeRows } from './bulk-load.ts'
import { chartState } from './chart-state.ts'
import { type ContentStorage, inDatabase } from './content-storage.ts'
import { findForeignOwner } from './contents.ts'
import type { StoreCore } from './core.ts'
import { create } from './create.ts'
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
import { deleteOnceBefore } from './idempotency.ts'
import { createIndexVersions } from './index-versions.ts'
import { checkLive } from './live-check.ts'
import { findIdentified, findStored } from './lookup.ts'
import { countContents, moveContents } from './move-contents.ts'
import { findOrigins, renewOrigin } from './origins.ts'
import { findPopulation } from './population.ts'
import { findAcross, readAcross } from './read-across.ts'
import { readAll } from './read-all.ts'
import { reindex } from './reindex.ts'
import { sample } from './sample.ts'
import { createSearch } from './search.ts'
import { createStatements } from './statements.ts'
import { sweepContents, sweepObjects } from './sweep-contents.ts'
import { write } from './write.ts'

interface StoreDependencies {
  pool: pg.Pool
  clock: () => Date
  /** Of documents; in the database unless said otherwise. */
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
    origins: { find: bind(findOrigins), renew: bind(renewOrigin) },
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
