/** A handler for every row of the table: one that is missing does not compile. */

import type { OperationId } from '../contract/rest/operations.ts'
import type { Handler } from './handler-types.ts'
import { getCcda } from './handlers/ccda.ts'
import { getContext } from './handlers/context.ts'
import { createDocument } from './handlers/documents.ts'
import { createEncounter } from './handlers/encounters.ts'
import { createPatient, getPatient, listPatients } from './handlers/patients.ts'
import { getPractitioner, listLocationProviders, listPractitioners } from './handlers/practitioners.ts'

export const handlers: { [Id in OperationId]: Handler<Id> } = {
  getContext,
  listPractitioners,
  getPractitioner,
  listLocationProviders,
  listPatients,
  getPatient,
  getCcda,
  createPatient,
  createEncounter,
  createDocument,
  getOpenApi: async ({ openApi }) => ({ body: openApi, count: 0, patientId: null }),
}
