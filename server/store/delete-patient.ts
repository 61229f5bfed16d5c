/**
 * Deletes a patient. The rows of the chart stay, marked as deleted and without content, so that exports can report the
 * deletion. Index rows and documents are deleted, and lists drop the patient as a member.
 */
import {
  type FhirType,
  fhirRegistry,
  fhirTypeNumbers,
  fhirTypeOf,
  registryRow,
} from '../contract/fhir/registry.ts'
import type { StoreCore } from './core.ts'
import { checkWritable, openDataset } from './dataset-lock.ts'
import type { Resource } from './index-rows.ts'
import { removeIndexRows } from './index-tables.ts'
import { noLiveness } from './liveness.ts'
import { type IdentifiedResource, parseExact, resourceText } from './resource-text.ts'
import type { Run } from './statements.ts'
import { sweepContents } from './sweep-contents.ts'

const listingTypes = (Object.keys(fhirRegistry) as FhirType[]).filter((type) => registryRow(type).members)

/**
 * Runs in one transaction.
 * @returns the deleted resources; empty if the patient does not exist (any more)
 * @throws Problem `conflict` if the dataset is read-only
 */
export async function deletePatient(core: StoreCore, datasetId: number, patientId: string) {
  const deleted = await core.statements.transaction(
    async ({ run }) => {
      const opened = await openDataset(run, datasetId, noLiveness)
      checkWritable(opened)
      const rows = await blank(run, datasetId, patientId, opened.now)
      const withOwner = rows.map((row) => ({ ...row, patientId }))
      await removeIndexRows(run, datasetId, withOwner)
      await run(datasetId, {
        name: 'delete-patient:attachments',
        text: `DELETE FROM clinical.attachment a USING unnest($2::smallint[], $3::text[]) AS w (type, id)
               WHERE a.dataset_id = $1 AND a.type = w.type AND a.id = w.id`,
        values: [datasetId, rows.map((row) => row.type), rows.map((row) => row.id)],
      })
      await leaveLists(run, datasetId, patientId, opened.now)
      return rows.map(({ type, id }) => ({ type: fhirTypeOf(type), id }))
    },
    { statementTimeoutMs: 0 },
  )
  if (deleted.length > 0) await sweepContents(core)
  return deleted
}

async function blank(run: Run, datasetId: number, patientId: string, now: Date) {
  const { rows } = await run<{ type: number; id: string }>(datasetId, {
    name: 'delete-patient:blank',
    text: `UPDATE clinical.resource
             SET deleted = true, content = '', record = NULL, tokens = '{}', date = '-infinity', date_end = NULL,
               version = version + 1, last_updated = $3
             WHERE dataset_id = $1 AND patient_id = $2 AND NOT deleted RETURNING type, id`,
    values: [datasetId, patientId, now],
  })
  return rows
}

/** Scans all lists, because there are few and their members are not indexed. */
async function leaveLists(run: Run, datasetId: number, patientId: string, now: Date): Promise<void> {
  const reference = `Patient/${patientId}`
  const { rows } = await run<{ type: number; id: string; version: number; content: string }>(datasetId, {
    name: 'delete-patient:lists',
    text: `SELECT type, id, version, content FROM clinical.resource
             WHERE dataset_id = $1 AND type = ANY ($2::smallint[]) AND NOT deleted AND strpos(content, $3) > 0
             ORDER BY type, id FOR UPDATE`,
    values: [datasetId, listingTypes.map((type) => fhirTypeNumbers[type]), JSON.stringify(reference)],
  })
  for (const row of rows) {
    const version = row.version + 1
    const text = withoutMember(parseExact(row.content) as IdentifiedResource, reference)
    await run(datasetId, {
      name: 'delete-patient:leave',
      text: `UPDATE clinical.resource SET content = $4, version = $5, last_updated = $6
               WHERE dataset_id = $1 AND type = $2 AND id = $3`,
      values: [datasetId, row.type, row.id, resourceText(text, version, now.toISOString()), version, now],
    })
  }
}

/** FHIR allows no empty lists, so the list is removed with its last member. */
function withoutMember(resource: IdentifiedResource, reference: string): IdentifiedResource {
  const { members } = registryRow(resource.resourceType)
  const list = members && (resource[members.list] as readonly Resource[] | undefined)
  if (!members || !Array.isArray(list)) return resource
  const rest = list.filter(
    (member) => (member[members.reference] as { reference?: string })?.reference !== reference,
  )
  const { [members.list]: _, ...others } = resource
  return (rest.length === 0 ? others : { ...resource, [members.list]: rest }) as IdentifiedResource
}
