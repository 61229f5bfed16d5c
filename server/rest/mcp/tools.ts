/** A handler for every row of the table of tools: one that is missing does not compile. */
import type * as fhir from 'fhir/r4.js'
import type { CcdService } from '../../ccd/ccd.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { McpArguments, McpData, McpPage, McpToolName } from '../../contract/mcp/tools.ts'
import type { OperationId, OutputOf } from '../../contract/rest/operations.ts'
import type { Parameter } from '../../search/compile.ts'
import type { Store } from '../../store/store.ts'
import type { Call } from '../call.ts'
import type { HandlerAnswer } from '../handler-types.ts'
import type { OperationCalls } from '../operation-calls.ts'
import type { Chart } from './chart.ts'
import {
  toAllergy,
  toDocumentItem,
  toEncounterItem,
  toImmunization,
  toMedication,
  toObservation,
  toProblem,
  toProcedure,
} from './chart-items.ts'
import { partOf, toDocumentText } from './document-text.ts'
import { summarize } from './summary.ts'
import { medicationsOf, readSummaryParts } from './summary-parts.ts'

export type ToolCall<Name extends McpToolName> = Readonly<{
  call: Call
  args: McpArguments<Name>
  /** Tokens of a result without its data. */
  overhead: number
}>

export type ToolAnswer<Name extends McpToolName> = Readonly<{
  data: McpData<Name>
  page: McpPage<Name>
  /** Records of people in the data. */
  count: number
  /** When they concern one patient. */
  patientId: string | null
  /** The record of access was committed with it. */
  recorded: boolean
}>

export type ToolHandlers = { [Name in McpToolName]: (call: ToolCall<Name>) => Promise<ToolAnswer<Name>> }

type ToolServices = {
  chart: Chart
  operationCalls: OperationCalls
  store: Pick<Store, 'documents'>
  ccd: CcdService
}

export function createTools({ chart, operationCalls, store, ccd }: ToolServices): ToolHandlers {
  async function operation<Id extends OperationId>(
    operationId: Id,
    call: Call,
    input: { params?: object; query?: object; body?: object },
  ) {
    const { body, ...answer } = await operationCalls.handle(
      operationId,
      { params: {}, query: {}, ...input },
      call,
    )
    return { body, ...given(answer) }
  }

  async function page<Id extends 'listPatients' | 'listPractitioners'>(
    operationId: Id,
    call: Call,
    query: object,
  ) {
    const { body, ...answer } = await operation(operationId, call, { query })
    const { data, page } = body as OutputOf<Id>
    return { data, page, ...answer }
  }

  async function one<Id extends 'getContext' | 'getPatient'>(operationId: Id, call: Call, params: object) {
    const { body, ...answer } = await operation(operationId, call, { params })
    return { data: body, page: undefined, ...answer }
  }

  async function create<Id extends 'createPatient' | 'createEncounter' | 'createDocument'>(
    operationId: Id,
    call: Call,
    { idempotencyKey, ...body }: { idempotencyKey: string },
  ) {
    call.idempotencyKey = idempotencyKey
    const { body: data, ...answer } = await operation(operationId, call, { body })
    return { data, page: undefined, ...answer }
  }

  async function list<Resource, Item>(
    call: Call,
    asked: Parameters<Chart['list']>[1],
    toItem: (resource: Resource, included: readonly fhir.FhirResource[]) => Item,
  ) {
    const { resources, included, page } = await chart.list<Resource>(call, asked)
    const data = resources.map((resource) => toItem(resource, included))
    return { data, page, count: data.length, patientId: asked.patientId, recorded: false }
  }

  return {
    get_context: ({ call }) => one('getContext', call, {}),
    search_patients: ({ call, args }) => page('listPatients', call, args),
    get_patient: ({ call, args }) => one('getPatient', call, { id: args.patientId }),
    list_practitioners: ({ call, args }) => page('listPractitioners', call, args),
    create_patient: ({ call, args }) => create('createPatient', call, args),
    start_encounter: ({ call, args }) => create('createEncounter', call, args),
    register_document: ({ call, args }) => create('createDocument', call, args),

    get_patient_summary: async ({ call, args: { patientId, maxTokens }, overhead }) => {
      const parts = await readSummaryParts(chart, call, patientId)
      const data = summarize(parts, maxTokens, overhead)
      const { problems, allergies, medications, vitals, labs } = data
      const count = 1 + [problems, allergies, medications, vitals, labs].flat().length
      return { data, page: undefined, count, patientId, recorded: false }
    },

    search_observations: ({ call, args: { category, code, from, to, ...asked } }) =>
      list(
        call,
        {
          type: 'Observation',
          ...asked,
          parameters: [...whenGiven('category', category), ...whenGiven('code', code), ...between(from, to)],
        },
        toObservation,
      ),

    list_medications: ({ call, args: { status, ...asked } }) =>
      list<fhir.MedicationRequest, ReturnType<typeof toMedication>>(
        call,
        {
          type: 'MedicationRequest',
          ...asked,
          parameters: [...whenGiven('status', status), ['_include', 'MedicationRequest:medication']],
        },
        (order, included) => toMedication(order, medicationsOf(included)),
      ),

    list_encounters: ({ call, args: { from, to, ...asked } }) =>
      list(call, { type: 'Encounter', ...asked, parameters: between(from, to) }, toEncounterItem),

    list_conditions: ({ call, args }) =>
      list(call, { type: 'Condition', ...args, parameters: [] }, toProblem),

    list_allergies: ({ call, args }) =>
      list(call, { type: 'AllergyIntolerance', ...args, parameters: [] }, toAllergy),

    list_immunizations: ({ call, args: { from, to, ...asked } }) =>
      list(call, { type: 'Immunization', ...asked, parameters: between(from, to) }, toImmunization),

    list_procedures: ({ call, args: { from, to, ...asked } }) =>
      list(call, { type: 'Procedure', ...asked, parameters: between(from, to) }, toProcedure),

    list_documents: ({ call, args: { from, to, ...asked } }) =>
      list(call, { type: 'DocumentReference', ...asked, parameters: between(from, to) }, toDocumentItem),

    get_document_text: async ({ call, args: { documentId, ...part } }) => {
      const type = 'DocumentReference'
      const resource = await chart.read(call, type, documentId)
      const { document } = await operationCalls.ask(call, ({ practice }, liveness) =>
        store.documents.find(practice.datasetId, { type, id: documentId }, liveness),
      )
      const data = await toDocumentText(JSON.parse(resource.content), document, part)
      return { data, page: undefined, count: 1, patientId: resource.patientId, recorded: false }
    },

    get_ccd: async ({ call, args: { patientId, ...part } }) => {
      const opened = await operationCalls.ask(call, ({ practice }, liveness) =>
        ccd.open(practice, patientId, liveness),
      )
      if (opened.ccd === null) throw new Problem('not_found')
      const { id: documentId, xml } = opened.ccd
      const text = await partOf(await xml(), part)
      const data = { reference: `Patient/${patientId}`, documentId, contentType: 'application/xml', ...text }
      return { data, page: undefined, count: 1, patientId, recorded: false }
    },
  }
}

function given({ count, patientId, made }: Omit<HandlerAnswer<OperationId>, 'body'>) {
  return { count, patientId, recorded: made?.recorded ?? false }
}

function whenGiven(name: string, value: string | undefined): Parameter[] {
  return value === undefined ? [] : [[name, value]]
}

function between(from: string | undefined, to: string | undefined): Parameter[] {
  return [...whenGiven('date', from && `ge${from}`), ...whenGiven('date', to && `le${to}`)]
}
