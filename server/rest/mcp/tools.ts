/** The handlers of the MCP tools. The type makes a missing one fail to compile. */
import type * as fhir from 'fhir/r4.js'
import { accessAt } from '../../auth/principal.ts'
import { Problem } from '../../contract/http/problems.ts'
import { classOfObservations, summarySectionClass } from '../../contract/keys/class-coverage.ts'
import { mayRead } from '../../contract/keys/key-access.ts'
import type { SummarySection } from '../../contract/mcp/records.ts'
import type { McpArguments, McpData, McpPage, McpToolName } from '../../contract/mcp/tools.ts'
import type { OperationId, OutputOf } from '../../contract/rest/operations.ts'
import type { Parameter } from '../../search/compile.ts'
import type { Call } from '../call.ts'
import type { HandlerAnswer } from '../handler-types.ts'
import { checkNeed } from '../key-access.ts'
import * as chart from './chart.ts'
import { getPatient, search } from './chart.ts'
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
import type { McpCore } from './mcp-core.ts'
import { type SummaryParts, summarize } from './summary.ts'

export type ToolCall<Name extends McpToolName> = Readonly<{
  call: Call
  args: McpArguments<Name>
  /** The number of tokens of a result without its data. */
  overhead: number
}>

export type ToolAnswer<Name extends McpToolName> = Readonly<{
  data: McpData<Name>
  page: McpPage<Name>
  /** The number of patient records in the data. */
  count: number
  /** Set if the records concern one patient. */
  patientId: string | null
  patientIds?: readonly string[]
  /** The access record is already committed. */
  recorded: boolean
}>

type ToolHandlers = {
  [Name in McpToolName]: (core: McpCore, call: ToolCall<Name>) => Promise<ToolAnswer<Name>>
}

async function operation<Id extends OperationId>(
  { operationCalls }: McpCore,
  operationId: Id,
  call: Call,
  input: { params?: object; query?: object; body?: object },
) {
  const { body, ...answer } = await operationCalls.handle(
    operationId,
    { params: {}, query: {}, ...input },
    call,
  )
  const output = Buffer.isBuffer(body) ? (JSON.parse(body.toString()) as OutputOf<Id>) : body
  return { body: output, ...disclosedBy(answer) }
}

async function page<Id extends 'listPatients' | 'listPractitioners'>(
  core: McpCore,
  operationId: Id,
  call: Call,
  query: object,
) {
  const { body, ...answer } = await operation(core, operationId, call, { query })
  const { data, page } = body as OutputOf<Id>
  return { data, page, ...answer }
}

async function one<Id extends 'getContext' | 'getPatient'>(
  core: McpCore,
  operationId: Id,
  call: Call,
  params: object,
) {
  const { body, ...answer } = await operation(core, operationId, call, { params })
  return { data: body, page: undefined, ...answer }
}

async function create<Id extends 'createPatient' | 'createEncounter' | 'createDocument'>(
  core: McpCore,
  operationId: Id,
  call: Call,
  { idempotencyKey, ...body }: { idempotencyKey: string },
) {
  call.idempotencyKey = idempotencyKey
  const { body: data, ...answer } = await operation(core, operationId, call, { body })
  return { data, page: undefined, ...answer }
}

async function list<Resource, Item>(
  core: McpCore,
  call: Call,
  search: chart.ChartSearch,
  toItem: (resource: Resource, included: readonly fhir.FhirResource[]) => Item,
) {
  const { resources, included, page } = await chart.list<Resource>(core, call, search)
  const data = resources.map((resource) => toItem(resource, included))
  return { data, page, count: data.length, patientId: search.patientId, recorded: false }
}

export const tools: ToolHandlers = {
  get_context: (core, { call }) => one(core, 'getContext', call, {}),
  search_patients: (core, { call, args }) => page(core, 'listPatients', call, args),
  get_patient: (core, { call, args }) => one(core, 'getPatient', call, { id: args.patientId }),
  list_practitioners: (core, { call, args }) => page(core, 'listPractitioners', call, args),
  create_patient: (core, { call, args }) => create(core, 'createPatient', call, args),
  start_encounter: (core, { call, args }) => create(core, 'createEncounter', call, args),
  register_document: (core, { call, args }) => create(core, 'createDocument', call, args),

  get_patient_summary: async (core, { call, args: { patientId, maxTokens }, overhead }) => {
    const parts = await readSummaryParts(core, call, patientId)
    const data = summarize(parts, { access: accessOf(core, call), maxTokens, overhead })
    const { problems = [], allergies = [], medications = [], vitals = [], labs = [] } = data
    const count = 1 + [problems, allergies, medications, vitals, labs].flat().length
    return { data, page: undefined, count, patientId, recorded: false }
  },

  search_observations: (core, { call, args: { category, code, from, to, ...search } }) => {
    const dataClass = category && classOfObservations(category)
    if (dataClass) call.need = { all: [dataClass] }
    checkNeed(accessOf(core, call), call.need)
    return list(
      core,
      call,
      {
        type: 'Observation',
        ...search,
        parameters: [
          ...parameterIf('category', category),
          ...parameterIf('code', code),
          ...between(from, to),
        ],
      },
      toObservation,
    )
  },

  list_medications: (core, { call, args: { status, ...search } }) =>
    list<fhir.MedicationRequest, ReturnType<typeof toMedication>>(
      core,
      call,
      {
        type: 'MedicationRequest',
        ...search,
        parameters: [...parameterIf('status', status), ['_include', 'MedicationRequest:medication']],
      },
      (order, included) => toMedication(order, medicationsOf(included)),
    ),

  list_encounters: (core, { call, args: { from, to, ...search } }) =>
    list(core, call, { type: 'Encounter', ...search, parameters: between(from, to) }, toEncounterItem),

  list_conditions: (core, { call, args }) =>
    list(core, call, { type: 'Condition', ...args, parameters: [] }, toProblem),

  list_allergies: (core, { call, args }) =>
    list(core, call, { type: 'AllergyIntolerance', ...args, parameters: [] }, toAllergy),

  list_immunizations: (core, { call, args: { from, to, ...search } }) =>
    list(core, call, { type: 'Immunization', ...search, parameters: between(from, to) }, toImmunization),

  list_procedures: (core, { call, args: { from, to, ...search } }) =>
    list(core, call, { type: 'Procedure', ...search, parameters: between(from, to) }, toProcedure),

  list_documents: (core, { call, args: { from, to, ...search } }) =>
    list(core, call, { type: 'DocumentReference', ...search, parameters: between(from, to) }, toDocumentItem),

  get_document_text: async (core, { call, args: { documentId, ...part } }) => {
    const type = 'DocumentReference'
    const resource = await chart.read(core, call, type, documentId)
    const { document } = await core.operationCalls.ask(call, ({ practice }, liveness) =>
      core.store.documents.find(practice.datasetId, { type, id: documentId }, liveness),
    )
    const data = await toDocumentText(JSON.parse(resource.content.toString()), document, part)
    return { data, page: undefined, count: 1, patientId: resource.patientId, recorded: false }
  },

  get_ccd: async (core, { call, args: { patientId, ...part } }) => {
    const opened = await core.operationCalls.ask(call, (principal, liveness) =>
      core.ccd.open(principal.practice, patientId, liveness, accessAt(principal, core.clock())),
    )
    if (opened.ccd === null) throw new Problem('not_found')
    const { id: documentId, xml } = opened.ccd
    const text = await partOf(xml(), part)
    const data = { reference: `Patient/${patientId}`, documentId, contentType: 'application/xml', ...text }
    return { data, page: undefined, count: 1, patientId, recorded: false }
  },
}

function accessOf({ clock }: McpCore, { principal }: Call) {
  return principal && accessAt(principal, clock())
}

function disclosedBy(answer: Omit<HandlerAnswer<OperationId>, 'body'>) {
  const { count, patientId, patientIds, made, isRecorded = false } = answer
  return { count, patientId, ...(patientIds && { patientIds }), recorded: made?.recorded ?? isRecorded }
}

function parameterIf(name: string, value: string | undefined): Parameter[] {
  return value === undefined ? [] : [[name, value]]
}

function between(from: string | undefined, to: string | undefined): Parameter[] {
  return [...parameterIf('date', from && `ge${from}`), ...parameterIf('date', to && `le${to}`)]
}

// The parts of a summary, queried at the same time.

/** The most resources of a section: more than a summary can contain, and enough to find the latest of each kind. */
const sectionMax = 200

/** @throws Problem `not_found` */
async function readSummaryParts(core: McpCore, call: Call, patientId: string): Promise<SummaryParts> {
  const patient = await getPatient(core, call, patientId)
  const readSection = async <Resource>(
    section: SummarySection,
    type: 'Condition' | 'AllergyIntolerance' | 'MedicationRequest' | 'Observation',
    ...parameters: Parameter[]
  ) => {
    const access = call.principal && accessAt(call.principal, core.clock())
    if (!mayRead(access, summarySectionClass[section])) return { resources: [], included: [] }
    return search<Resource>(core, call, { type, patientId, parameters, limit: sectionMax })
  }
  const [problems, allergies, orders, vitals, labs] = await Promise.all([
    readSection<fhir.Condition>('problems', 'Condition', ['clinical-status', 'active,recurrence,relapse']),
    readSection<fhir.AllergyIntolerance>('allergies', 'AllergyIntolerance', ['clinical-status', 'active']),
    readSection<fhir.MedicationRequest>(
      'medications',
      'MedicationRequest',
      ['status', 'active'],
      ['_include', 'MedicationRequest:medication'],
    ),
    readSection<fhir.Observation>('vitals', 'Observation', ['category', 'vital-signs']),
    readSection<fhir.Observation>('labs', 'Observation', ['category', 'laboratory']),
  ])
  const medications = medicationsOf(orders.included)
  return {
    patient,
    problems: problems.resources,
    allergies: allergies.resources,
    medications: orders.resources.map((order) => toMedication(order, medications)),
    vitals: vitals.resources,
    labs: labs.resources,
  }
}

/** @returns by `Medication/id`, the medications that orders refer to */
function medicationsOf(included: readonly fhir.FhirResource[]): ReadonlyMap<string, fhir.Medication> {
  return new Map(
    included.flatMap((each) => (each.resourceType === 'Medication' ? [[`Medication/${each.id}`, each]] : [])),
  )
}
