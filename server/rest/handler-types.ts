/** What a REST handler is called with, and what it answers. */

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

/** The services that write. */
export type RecordServices = {
  patients: WithCore<typeof patientsVerbs>
  encounters: WithCore<typeof encountersVerbs>
  documents: WithCore<typeof documentsVerbs>
}

export type HandlerCall<Id extends OperationId> = InputOf<Id> & {
  /** Absent at operations that need no key. */
  principal: ApiKeyPrincipal
  /** What the key is narrowed to, as it was when the last statement ran; null: nothing. */
  access(): KeyAccess | null
  /** The principal as the database has it now. */
  refresh(): Promise<ApiKeyPrincipal>
  /** What is used of its caps today. */
  capUse: Caps['readUse']
  /** Reads the key's own dataset; ends the request with 401 when the key is not good any more. */
  search(plan: SearchPlan): Promise<SearchPage>
  /** As `search`: one resource by its id, null without such a one. */
  read(type: FhirType, id: string): Promise<FoundRecord | null>
  /** As `read`, what the answer consists of. */
  answerWith(type: FhirType, id: string): Promise<FoundRecord | null>
  /**
   * Makes a record, or gives the one that the same request made before; ends the request with 401 when the key
   * is not good any more.
   */
  write(make: (services: RecordServices, writer: Writer) => Promise<Outcome>): Promise<MadeRecord>
  /** The patient's current document; null without such a patient, 401 as with `search`. */
  openCcd(patientId: string): Promise<Ccd | null>
  /** What the caller would rather have, as it was sent. */
  accept: string | null
  openApi: OpenApiDocument
}

/** `isRecorded`: the record of access was committed with the read. */
export type FoundRecord = StoredResource & { isRecorded: boolean }

/** The FHIR text of what was made. `recorded`: the record of access was committed with it. */
export type MadeRecord = { id: string; content: JsonText; recorded: boolean }

export type HandlerAnswer<Id extends OperationId> = {
  /** A buffer holds the JSON of it. */
  body: OutputOf<Id> | Buffer
  /** Records of people in the body. */
  count: number
  /** When they concern one patient. */
  patientId: string | null
  /** When they concern several: each once. */
  patientIds?: readonly string[]
  made?: MadeRecord
  /** The record of access is committed. */
  isRecorded?: boolean
  /** Sent in place of the body, piece by piece. */
  text?: TextAnswer
}

/** An answer that is no JSON and too long to be held. */
export type TextAnswer = {
  headers: Readonly<Record<string, string>>
  /** Given up with `return` when no one takes them. */
  pieces: AsyncIterableIterator<string, void>
}

export type Handler<Id extends OperationId> = (call: HandlerCall<Id>) => Promise<HandlerAnswer<Id>>
