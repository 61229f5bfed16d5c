/** The parameters and the result of a REST handler. */

import type { ApiKeyPrincipal } from '../auth/principal.ts'
import type { Ccd } from '../ccd/ccd.ts'
import type { FhirType } from '../contract/fhir/registry.ts'
import type { KeyAccess } from '../contract/keys/key-access.ts'
import type { OpenApiDocument } from '../contract/rest/openapi.ts'
import type { InputOf, OperationId, OutputOf } from '../contract/rest/operations.ts'
import type { WithCore } from '../domain/core.ts'
import type * as documentsVerbs from '../domain/documents/documents.ts'
import type * as encountersVerbs from '../domain/encounters/encounters.ts'
import type * as patientsVerbs from '../domain/patients/patients.ts'
import type { Outcome, Writer } from '../domain/records/writer.ts'
import type { JsonText } from '../search/fhir-elements.ts'
import type { SearchPlan } from '../search/plan.ts'
import type { SearchPage, StoredResource } from '../store/search.ts'
import type { Caps } from './caps.ts'

/** The services that write records. */
export type RecordServices = {
  patients: WithCore<typeof patientsVerbs>
  encounters: WithCore<typeof encountersVerbs>
  documents: WithCore<typeof documentsVerbs>
}

export type HandlerCall<Id extends OperationId> = InputOf<Id> & {
  /** Null for operations that need no key. */
  principal: ApiKeyPrincipal
  /** The limits of a narrowed key at the time of the last statement; null if it is not narrowed. */
  access(): KeyAccess | null
  /** Reads the principal from the database unless this request has already done so. */
  refresh(): Promise<ApiKeyPrincipal>
  /** Today's counts for the key's caps. */
  capUse: Caps['readUse']
  /** Searches the key's dataset. Ends the request with 401 if the key is not valid any more. */
  search(plan: SearchPlan): Promise<SearchPage>
  /** Reads a resource by its id, with the same checks; null if it does not exist. */
  read(type: FhirType, id: string): Promise<FoundRecord | null>
  /** Like `read`, for the resource that is the whole response. */
  answerWith(type: FhirType, id: string): Promise<FoundRecord | null>
  /**
   * Creates a record, or returns the one that the same request created before. Ends the request with 401 if the key is not
   * valid any more.
   */
  write(make: (services: RecordServices, writer: Writer) => Promise<Outcome>): Promise<MadeRecord>
  /** Opens the patient's current CCD, with the checks of `search`; null if the patient does not exist. */
  openCcd(patientId: string): Promise<Ccd | null>
  /** The `Accept` header. */
  accept: string | null
  openApi: OpenApiDocument
}

/** `isRecorded` if the read has also written the access record. */
export type FoundRecord = StoredResource & { isRecorded: boolean }

/** A created record with its FHIR text. `recorded` if the write has also written the access record. */
export type MadeRecord = { id: string; content: JsonText; recorded: boolean }

export type HandlerAnswer<Id extends OperationId> = {
  /** The body, or its JSON as a buffer. */
  body: OutputOf<Id> | Buffer
  /** The number of patient records in the body. */
  count: number
  /** Set if the records concern one patient. */
  patientId: string | null
  /** The patients, without duplicates, if the records concern several. */
  patientIds?: readonly string[]
  made?: MadeRecord
  /** The access record is already committed. */
  isRecorded?: boolean
  /** Streamed instead of the body. */
  text?: TextAnswer
}

/** A response that is not JSON and too long to buffer. */
export type TextAnswer = {
  headers: Readonly<Record<string, string>>
  /** Call `return` if they are not sent. */
  pieces: AsyncIterableIterator<string, void>
}

export type Handler<Id extends OperationId> = (call: HandlerCall<Id>) => Promise<HandlerAnswer<Id>>
