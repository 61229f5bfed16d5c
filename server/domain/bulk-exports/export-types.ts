/** Types of an export that several folders share. */
import { z } from 'zod'
import { type FhirType, isFhirType } from '../../contract/fhir/registry.ts'
import { storageSettings } from './export-storage.ts'

const fhirType = z.custom<FhirType>((value) => typeof value === 'string' && isFhirType(value))

/** The exported types in order, each with the codes that the client's scopes allow; null for all resources. */
export const exportPlan = z.array(
  z.strictObject({
    type: fhirType,
    codes: z
      .array(
        z.strictObject({ parameter: z.int(), system: z.string().nullable(), code: z.string().nullable() }),
      )
      .nullable(),
  }),
)
export type ExportPlan = z.output<typeof exportPlan>

export const exportFile = z.strictObject({
  name: z.string(),
  type: fhirType,
  count: z.int(),
  /** The size of the NDJSON. */
  bytes: z.int(),
  /** The size of the stored file. */
  storedBytes: z.int(),
  gzip: z.boolean(),
})
export type ExportFile = z.output<typeof exportFile>

/** The input of a run. */
export const runOrder = z.strictObject({
  connectionString: z.string(),
  exportId: z.string(),
  attempt: z.int(),
  practiceId: z.string(),
  base: z.string(),
  plan: exportPlan,
  since: z.string().nullable(),
  storage: storageSettings,
  fileBytesMax: z.number(),
})
export type RunOrder = z.output<typeof runOrder>
/** The installation's settings, which are the same for every run. */
export type ExportSettings = Pick<RunOrder, 'storage' | 'fileBytesMax'>

/** The messages of a run, one per line. */
export const runMessage = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('progress'), written: z.int(), total: z.int() }),
  z.strictObject({
    kind: z.literal('complete'),
    transactionTime: z.string(),
    total: z.int(),
    files: z.array(exportFile),
  }),
  z.strictObject({
    kind: z.literal('failed'),
    reason: z.enum(['busy', 'disk_full', 'fault']),
    detail: z.string(),
  }),
])
export type RunMessage = z.output<typeof runMessage>
