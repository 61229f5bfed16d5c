import { patientsOf } from '../audit/call-rows.ts'
import { pagePolicy } from '../ccd/page.ts'
import { windowTable } from '../contract/http/limits.ts'
import { Problem } from '../contract/http/problems.ts'
import { mayRead } from '../contract/keys/key-access.ts'
import { clockTime, type KeyCaps } from '../contract/keys/key-caps.ts'
import type { OperationId } from '../contract/rest/operations.ts'
import type { PatientRecord } from '../contract/rest/records.ts'
import { findPatients } from '../domain/patients/patients.ts'
import { prefersPage } from '../http/accept.ts'
import { planProvider, planProviders, planProvidersOf, withRoles } from '../search/lists.ts'
import { listedText, toPatient } from '../search/patient-record.ts'
import type { SearchPage } from '../store/search.ts'
import type { Handler, HandlerCall } from './handler-types.ts'
import { checkPatientQuery, narrowPatient } from './key-access.ts'
import { rolesByPractitioner, toDocument, toEncounter, toPractitioner } from './projections.ts'

const listPatients: Handler<'listPatients'> = async ({ query, search, access }) => {
  const visibleFields = () => {
    checkPatientQuery(access(), query)
    return { names: mayRead(access(), 'demographics'), numbers: mayRead(access(), 'identifiers') }
  }
  const before = visibleFields()
  const first = await findPatients(search, query, before)
  const after = visibleFields()
  // The key was narrowed meanwhile: even the order of the list would reveal too much.
  const isSame = before.names === after.names && before.numbers === after.numbers
  const { matches, page } = isSame ? first : await findPatients(search, query, after)
  const counted = { count: matches.length, ...patientsOf(matches) }
  const narrowed = access()
  const texts = matches.map(({ content }) => listedText(content))
  if (narrowed === null) return { body: listText(texts, page), ...counted }
  const data = texts.map((text) => narrowPatient(narrowed, JSON.parse(text.toString()) as PatientRecord))
  return { body: { data, page }, ...counted }
}

/** The body of a list, joined from stored records. */
function listText(texts: readonly Buffer[], page: object): Buffer {
  const comma = Buffer.from(',')
  const data = texts.flatMap((text, at) => (at === 0 ? text : [comma, text]))
  return Buffer.concat([Buffer.from('{"data":['), ...data, Buffer.from(`],"page":${JSON.stringify(page)}}`)])
}

/** A patient of another practice is not in the key's dataset, so it is not found either. */
const getPatient: Handler<'getPatient'> = async ({ params, answerWith, access }) => {
  const found = await answerWith('Patient', params.id)
  if (found === null) throw new Problem('not_found')
  const { id, content, isRecorded } = found
  return { body: narrowPatient(access(), toPatient(content)), count: 1, patientId: id, isRecorded }
}

const createPatient: Handler<'createPatient'> = async ({ body, write, access }) => {
  const record = await write(({ patients }, writer) => patients.create(writer, body))
  return {
    body: narrowPatient(access(), toPatient(record.content)),
    count: 1,
    patientId: record.id,
    made: record,
  }
}

const listPractitioners: Handler<'listPractitioners'> = async ({ query, search }) =>
  page(await search(withRoles(planProviders(query))), query)

const getPractitioner: Handler<'getPractitioner'> = async ({ params, search }) => {
  const [practitioner] = practitionersOf(await search(withRoles(planProvider(params.id))))
  if (practitioner === undefined) throw new Problem('not_found')
  return { body: practitioner, count: 0, patientId: null }
}

const listLocationProviders: Handler<'listLocationProviders'> = async (call) => {
  const { params, query, search, read } = call
  if ((await read('Location', params.id)) === null) throw new Problem('not_found')
  return page(await search(withRoles(planProvidersOf(params.id, query))), query)
}

function practitionersOf({ matches, included }: SearchPage) {
  const byPractitioner = rolesByPractitioner(included.map(({ content }) => content))
  return matches.map(({ id, content }) => toPractitioner(content, byPractitioner.get(id) ?? []))
}

/** Providers are no patients, so the access record counts no records. */
function page(found: SearchPage, { limit, offset }: { limit: number; offset: number }) {
  const data = practitionersOf(found)
  return { body: { data, page: { limit, offset, hasMore: found.next !== null } }, count: 0, patientId: null }
}

const createDocument: Handler<'createDocument'> = async ({ body, write }) => {
  const record = await write(({ documents }, writer) => documents.register(writer, body))
  return { body: toDocument(record.content), count: 1, patientId: body.patientId, made: record }
}

const createEncounter: Handler<'createEncounter'> = async ({ body, write }) => {
  const record = await write(({ encounters }, writer) => encounters.start(writer, body))
  return { body: toEncounter(record.content), count: 1, patientId: body.patientId, made: record }
}

/** The access record is committed before the first byte. A later error aborts the response. */
const getCcda: Handler<'getCcda'> = async ({ params, accept, openCcd }) => {
  const ccd = await openCcd(params.id)
  if (ccd === null) throw new Problem('not_found')
  const { patientId } = ccd
  const text = prefersPage(accept)
    ? { headers: { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders }, pieces: ccd.html() }
    : {
        headers: { 'Content-Type': 'application/xml; charset=utf-8', Vary: 'Accept' },
        pieces: ccd.xml(),
      }
  return { body: '', count: 1, patientId, text }
}

/** The page has one stylesheet and no scripts. */
const pageHeaders = { 'Content-Security-Policy': pagePolicy, Vary: 'Accept' }

/** Always reads the key from the database, because the response describes the key. */
const getContext: Handler<'getContext'> = async ({ refresh, access, capUse }) => {
  const { practice, ...key } = await refresh()
  const narrowed = access()
  const body = {
    practice: { id: practice.slug, name: practice.name, environment: key.environment },
    principal: {
      kind: key.kind,
      keyPrefix: key.keyPrefix,
      keyName: key.keyName,
      level: key.level,
      dataClasses: narrowed && [...narrowed.classes],
      purposes: narrowed && [...narrowed.purposes],
      expiresAt: key.expiresAt.toISOString(),
    },
    limits: {
      key: ratesOf('restKey', key.limits),
      practice: ratesOf('restPractice'),
      caps: key.caps && (await describeCaps(key.caps, capUse)),
    },
  }
  return { body, count: 0, patientId: null }
}

/** @param granted limits that replace the published ones */
function ratesOf(
  window: 'restKey' | 'restPractice',
  granted: readonly [burst: number, sustained: number] | null = null,
) {
  const [burst, sustained] = windowTable[window].windows
  const [perSecond, perMinute] = granted ?? [burst.requests, sustained.requests]
  return { perSecond, perMinute }
}

async function describeCaps(caps: KeyCaps, capUse: HandlerCall<'getContext'>['capUse']) {
  const { callsPerDay, patientsPerDay, hours, zone } = caps
  const { resetsAt, ...used } = await capUse(caps)
  return {
    callsPerDay,
    patientsPerDay,
    hours: hours && { from: clockTime(hours.from), until: clockTime(hours.until) },
    zone,
    today: { ...used, resetsAt: resetsAt.toISOString() },
  }
}

// The type makes a missing handler fail to compile.

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
