/** The clinical store. Every function takes the dataset first. */
import type pg from 'pg'
import { createDatasets } from './datasets.ts'
import { createDictionary } from './dictionary.ts'
import { createFind } from './find.ts'
import { createStatements } from './statements.ts'
import { createWrite } from './write.ts'

export interface StoreDependencies {
  pool: pg.Pool
  clock: () => Date
}

export function createStore({ pool, clock }: StoreDependencies) {
  const statements = createStatements(pool)
  const dictionary = createDictionary(statements)
  return {
    datasets: createDatasets({ statements, clock }),
    ...createFind(statements),
    ...createWrite({ statements, dictionary }),
    onStatement: statements.onStatement,
  }
}

export type Store = ReturnType<typeof createStore>
