/** A handler for every row of the table: one that is missing does not compile. */
import type { ApiKeyPrincipal } from '../auth/principal.ts'
import type { OpenApiDocument } from '../contract/openapi.ts'
import type { InputOf, OperationId, OutputOf } from '../contract/operations.ts'
import type { SearchPlan } from '../search/plan.ts'
import { getContext } from './handlers/context.ts'
import { getPatient, listPatients } from './handlers/patients.ts'

export type HandlerCall<Id extends OperationId> = InputOf<Id> & {
  /** Absent at operations that need no key. */
  principal: ApiKeyPrincipal
  /** The principal as the database has it now. */
  refresh(): Promise<ApiKeyPrincipal>
  /** Reads the key's own dataset; ends the request with 401 when the key is not good any more. */
  find(plan: SearchPlan): Promise<{ rows: readonly { id: string; content: string }[]; hasMore: boolean }>
  openApi: OpenApiDocument
}

export type HandlerAnswer<Id extends OperationId> = {
  body: OutputOf<Id>
  /** Records of people in the body. */
  count: number
  /** When they concern one patient. */
  patientId: string | null
}

export type Handler<Id extends OperationId> = (call: HandlerCall<Id>) => Promise<HandlerAnswer<Id>>

export const handlers: { [Id in OperationId]: Handler<Id> } = {
  getContext,
  listPatients,
  getPatient,
  getOpenApi: async ({ openApi }) => ({ body: openApi, count: 0, patientId: null }),
}
