import type { Caller } from './callers.ts'
import type { FhirCaller } from './fhir-callers.ts'
import type { FhirRecords } from './fhir-records.ts'
import type { BenchRequest } from './measure.ts'
import type { Visitors } from './visitors.ts'

export type Context = {
  /** Keys of many practices, so that no limit is reached. */
  callers: readonly Caller[]
  /** Keys of practices with records of their own, which may write. */
  writers: readonly Caller[]
  /** Patients that every caller can read. */
  patientIds: readonly string[]
  fhirCallers: readonly FhirCaller[]
  fhir: FhirRecords
  visitors: Visitors
}

/** One kind of request; `requests` are sent over and over, in order. */
export type Row = {
  name: string
  /** Requests sent before the measurement, so that the compiler has seen the code. */
  warmUp: number
  requests: (context: Context) => BenchRequest[]
  /** What the first response must hold: a response without it is quick, and would make a fine figure. */
  expected: (body: string) => boolean
  /** 16 unless said. */
  connections?: number
}

const base = '/sandbox/api/v1'

const newPatient = {
  name: { family: 'Samplewood', given: ['Juniper', 'Mae'] },
  birthDate: '1988-02-17',
  sex: 'female',
  telecom: [{ system: 'phone', value: '(207) 555-0177', use: 'mobile' }],
  address: [{ line: ['7 Sample Street'], city: 'Samplehaven', state: 'ME', postalCode: '04999' }],
  language: 'en',
}

const search = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search_patients', arguments: { q: 'testw' } },
}

/** One request of every caller, so that each is called as often as the others. */
function fhir(pathOf: (records: FhirRecords, at: number) => string): Row['requests'] {
  return ({ fhirCallers, fhir }) =>
    fhirCallers.map(({ base, headers }, at) => ({ path: `${base}/${pathOf(fhir, at)}`, headers }))
}

const pageOf =
  (realm: keyof Visitors, below = ''): Row['requests'] =>
  ({ visitors }) =>
    visitors[realm].map(({ path, headers }) => ({ path: `${path}${below}`, headers }))

/** More than one address may request: the limit is 1,200 pages a minute. */
export const strangers = Array.from({ length: 1_000 }, (_, at) => ({
  'x-forwarded-for': `198.19.${Math.floor(at / 250)}.${at % 250}`,
}))

function cycle(list: readonly string[], at: number): string {
  return list[at % list.length] ?? ''
}

function entries(count: number): Row['expected'] {
  return (body) => {
    const { entry = [] } = JSON.parse(body) as { entry?: { search?: { mode?: string } }[] }
    return entry.filter(({ search }) => search?.mode !== 'include').length === count
  }
}

const includes = (text: string) => (body: string) => body.includes(text)

const readObservation: Omit<Row, 'name'> = {
  warmUp: 5_000,
  requests: fhir(({ observationIds }, at) => `Observation/${cycle(observationIds, at)}`),
  expected: includes('"resourceType":"Observation"'),
}

/** A row has the name of its aim (aims.ts). */
export const rows: readonly Row[] = [
  { name: 'FHIR read', ...readObservation },
  { name: 'FHIR read, 1 connection', ...readObservation, warmUp: 1_000, connections: 1 },
  {
    name: 'FHIR page of 50',
    warmUp: 2_000,
    requests: fhir(({ pagePatients }, at) => `Observation?patient=${cycle(pagePatients, at)}&_count=50`),
    expected: entries(50),
  },
  {
    name: 'FHIR page with _revinclude',
    warmUp: 1_500,
    requests: fhir(
      ({ pagePatients }, at) =>
        `Observation?patient=${cycle(pagePatients, at)}&_count=50&_revinclude=Provenance:target`,
    ),
    expected: (body) => entries(50)(body) && body.includes('"Provenance"'),
  },
  {
    name: 'FHIR $everything, about 140',
    warmUp: 1_000,
    requests: fhir(({ chartPatients }, at) => `Patient/${cycle(chartPatients, at)}/$everything`),
    expected: (body) => (JSON.parse(body) as { entry: unknown[] }).entry.length >= 100,
  },
  {
    name: 'FHIR rare code of 10,000',
    warmUp: 2_000,
    requests: fhir(({ longPatient, rareCode }) => `Observation?patient=${longPatient}&code=${rareCode}`),
    expected: includes('"resourceType":"Observation"'),
  },
  {
    name: 'REST patient',
    warmUp: 4_000,
    requests: ({ callers, patientIds }) =>
      callers.map(({ headers }, at) => ({ path: `${base}/patients/${cycle(patientIds, at)}`, headers })),
    expected: includes('"birthDate"'),
  },
  {
    name: 'REST list of 50',
    warmUp: 1_500,
    requests: ({ callers }) => callers.map(({ headers }) => ({ path: `${base}/patients?limit=50`, headers })),
    expected: (body) => (JSON.parse(body) as { data: unknown[] }).data.length === 50,
  },
  {
    name: 'REST new patient',
    warmUp: 300,
    requests: ({ writers }) =>
      writers.map(({ headers }) => ({
        path: `${base}/patients`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(newPatient),
      })),
    expected: includes('Samplewood'),
  },
  {
    name: 'MCP search',
    warmUp: 1_500,
    requests: ({ callers }) =>
      callers.map(({ headers }) => ({
        path: `${base}/mcp`,
        method: 'POST',
        headers: {
          ...headers,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify(search),
      })),
    expected: includes('"structuredContent":{"data":[{'),
  },
  {
    name: 'public page',
    warmUp: 3_000,
    requests: () => strangers.map((headers) => ({ path: '/', headers })),
    expected: includes('<h1'),
  },
  {
    name: 'signed-in page',
    warmUp: 200,
    requests: pageOf('developer'),
    expected: includes('Good to see you'),
  },
  { name: 'keys', warmUp: 200, requests: pageOf('developer', '/keys'), expected: includes('>Keys</h1>') },
  { name: 'logs', warmUp: 200, requests: pageOf('developer', '/logs'), expected: includes('>Logs</h1>') },
  {
    name: 'queue',
    warmUp: 200,
    requests: pageOf('staff', '/registrations'),
    expected: includes('>Queue</h1>'),
  },
  {
    name: 'who has access',
    warmUp: 200,
    requests: pageOf('practice', '?practice=harbor-family'),
    expected: includes('>Who has access</h1>'),
  },
]
