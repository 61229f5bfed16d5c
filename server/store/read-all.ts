/** Reads a whole dataset, a page at a time, for tools that write it elsewhere. */
import { type FhirType, fhirTypeNumbers } from '../contract/fhir/registry.ts'
import type { StoreCore } from './core.ts'

const pageRows = 1_000
/** The texts of a type in the order of their ids, as they are stored. Deleted ones are left out. */
export async function* readAll(
  core: StoreCore,
  datasetId: number,
  type: FhirType,
): AsyncGenerator<string, void> {
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
