/** Creates a clinical record together with its Provenance, and turns refusals of the store into problems. */
import { randomUUID } from 'node:crypto'
import type * as fhir from 'fhir/r4.js'
import { insertRecords } from '../../audit/log-rows.ts'
import { livenessOf } from '../../auth/principal.ts'
import {
  identifierSystems,
  practiceOrganizationId,
  testDataLabel,
  writtenCodes,
} from '../../contract/fhir/codes.ts'
import { type FhirType, registryRow } from '../../contract/fhir/registry.ts'
import { limits } from '../../contract/http/limits.ts'
import { Problem } from '../../contract/http/problems.ts'
import { planRead } from '../../search/lists.ts'
import type { Creation } from '../../store/create.ts'
import type { Resource } from '../../store/index-rows.ts'
import { noLiveness } from '../../store/liveness.ts'
import type { Core } from '../core.ts'
import type { Outcome, Writer } from './writer.ts'

type RecordToCreate = Readonly<{
  resource: fhir.FhirResource & { id: string }
  patientId: string
  /** The practitioner who wrote it; the practice if none is named. */
  authorId?: string | undefined
  references: Creation['references']
  unique?: Creation['unique']
  /** The message if another record has the unique identifier. */
  taken?: string
}>

/** A reference to the practice; only its name if the data has no such Organization. */
export async function practiceOf({ store }: Core, { principal }: Writer): Promise<fhir.Reference> {
  const { datasetId, name } = principal.practice
  const plan = planRead('Organization', practiceOrganizationId)
  const { resource } = await store.read(datasetId, plan, noLiveness)
  return resource === null
    ? { type: 'Organization', display: name }
    : { reference: `Organization/${practiceOrganizationId}` }
}

/**
 * Writes the record, the access log's row and the caller's Idempotency-Key in one transaction.
 * @throws Problem `validation` (an unknown reference, an identifier in use, the Idempotency-Key was used
 * for another request), `forbidden` (the practice's records are read-only), `unavailable`
 */
export async function createRecord(
  { store }: Core,
  writer: Writer,
  record: RecordToCreate,
  practice: fhir.Reference,
): Promise<Outcome> {
  const { principal, now, once } = writer
  const address = { type: record.resource.resourceType as FhirType, id: record.resource.id }
  const provenance = provenanceOf({
    id: randomUUID(),
    target: `${address.type}/${address.id}`,
    recorded: now.toISOString(),
    authorId: record.authorId,
    keyPrefix: principal.keyPrefix,
    practice,
  })
  const created = await store.create(principal.practice.datasetId, {
    liveness: livenessOf(principal, now),
    made: address,
    resources: [record.resource, provenance].map((resource) => labelled(resource, principal.environment)),
    once: once && {
      ...once,
      keyId: principal.keyId,
      now,
      since: onceSince(now),
    },
    references: record.references,
    unique: record.unique ?? null,
    record: async (client) => {
      await writer.within(client, record.patientId)
      await client.query(insertRecords([{ ...writer.record(record.patientId), count: 1 }]))
    },
  })
  switch (created.kind) {
    case 'created':
      return { kind: 'created', id: address.id, content: created.resource.content }
    case 'again':
      return { kind: 'again', id: created.id }
    case 'dead':
      return { kind: 'dead' }
    case 'missing':
      throw refused(created.field, 'there is no such record in this practice')
    case 'taken':
      throw refused('mrn', record.taken ?? 'is already taken')
    case 'other_request':
      throw refused('Idempotency-Key', 'was already used for another request')
  }
}

/** Deletes expired Idempotency-Keys. @returns the number of keys */
export const forgetOld = ({ store }: Core, now: Date): Promise<number> =>
  store.deleteOnceBefore(onceSince(now))

/** Idempotency-Keys from before this time have expired. */
const onceSince = (now: Date): Date => new Date(now.getTime() - limits.idempotencyHours * 3_600_000)

/** A message names the field and the requirement, like that of every refused body. */
export const refused = (field: string, sentence: string): Problem =>
  new Problem('validation', { message: `${field}: ${sentence}.`, field })

/** Adds the registry's profiles, and in a sandbox the label for test data. */
function labelled(resource: fhir.FhirResource, environment: 'sandbox' | 'production'): Resource {
  const meta = {
    profile: [...registryRow(resource.resourceType as FhirType).profiles],
    ...(environment === 'sandbox' && { security: [{ ...testDataLabel }] }),
  }
  // FHIR's own types have no index signature.
  return { ...resource, meta } as unknown as Resource
}

/** Who wrote a record and which key sent it, https://hl7.org/fhir/us/core/STU6.1/StructureDefinition-us-core-provenance.html */
type Authorship = Readonly<{
  id: string
  /** A relative reference. */
  target: string
  recorded: string
  /** A practitioner of the practice; the practice itself if none is named. */
  authorId: string | undefined
  /** The public part of the key. */
  keyPrefix: string
  practice: fhir.Reference
}>

function provenanceOf(authorship: Authorship): fhir.Provenance & { id: string } {
  const { id, target, recorded, authorId, keyPrefix, practice } = authorship
  return {
    resourceType: 'Provenance',
    id,
    target: [{ reference: target }],
    recorded,
    agent: [
      {
        type: { coding: [{ ...writtenCodes.author }] },
        ...(authorId === undefined
          ? { who: practice }
          : { who: { reference: `Practitioner/${authorId}` }, onBehalfOf: practice }),
      },
      {
        type: { coding: [{ ...writtenCodes.transmitter }] },
        who: {
          type: 'Device',
          identifier: { system: identifierSystems.apiKey, value: keyPrefix },
          display: `API key ${keyPrefix}`,
        },
        onBehalfOf: practice,
      },
    ],
  }
}
