/** Reads a whole dataset, a page at a time, for tools that write it elsewhere. */
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import type { Statements } from './statements.ts'

const pageRows = 1_000

export function createReadAll({ run }: Statements) {
  /** The texts of a type in the order of their ids, as they are stored. Deleted ones are left out. */
  async function* readAll(datasetId: number, type: FhirType): AsyncGenerator<string, void> {
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

  return { readAll }
}
