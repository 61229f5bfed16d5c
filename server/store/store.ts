/** The clinical store. Every function takes the dataset first. */
import type pg from 'pg'
import { createBatchRead } from './batch-read.ts'
import { createBulkLoad } from './bulk-load.ts'
import { createChartState } from './chart-state.ts'
import { createCreate } from './create.ts'
import { createDatasets } from './datasets.ts'
import { createDeletePatient } from './delete-patient.ts'
import { createDictionary } from './dictionary.ts'
import { createDocuments } from './documents.ts'
import { createIndexVersions } from './index-versions.ts'
import { createLookup } from './lookup.ts'
import { createOrigins } from './origins.ts'
import { createPopulation } from './population.ts'
import { createReadAcross } from './read-across.ts'
import { createReadAll } from './read-all.ts'
import { createReindex } from './reindex.ts'
import { createSample } from './sample.ts'
import { createSearch } from './search.ts'
import { createStatements } from './statements.ts'
import { createWrite } from './write.ts'

export interface StoreDependencies {
  pool: pg.Pool
  clock: () => Date
}

export function createStore({ pool, clock }: StoreDependencies) {
  const statements = createStatements(pool)
  const dictionary = createDictionary(statements)
  const versions = createIndexVersions(statements)
  const { write } = createWrite({ statements, dictionary, versions })
  const batchRead = createBatchRead(statements)
  const documents = createDocuments({ statements, clock })
  return {
    datasets: createDatasets({ statements, clock, sweepDocuments: documents.sweep }),
    documents,
    origins: createOrigins(statements),
    write,
    ...createCreate({ statements, write }),
    ...createSearch(statements, batchRead),
    ...createReadAll(statements),
    ...createSample(statements),
    ...createPopulation(statements),
    ...createChartState(statements),
    ...createLookup(statements),
    ...createReadAcross(statements),
    ...createBulkLoad({ statements, dictionary, versions }),
    ...createDeletePatient({ statements, sweepDocuments: documents.sweep }),
    ...createReindex({ statements, dictionary, versions }),
    offeredRows: versions.offeredRows,
    rowsBehind: versions.rowsBehind,
    countBehind: versions.countBehind,
    onStatement: statements.onStatement,
  }
}

export type Store = ReturnType<typeof createStore>
