import type { Caller } from './callers.ts'
import type { FhirCaller } from './fhir-callers.ts'
import type { FhirRecords } from './fhir-records.ts'
import type { BenchRequest } from './measure.ts'

export type Context = {
  /** Keys of many practices, so that no limit is reached. */
  callers: readonly Caller[]
  /** Keys of practices with records of their own, which may write. */
  writers: readonly Caller[]
  /** Patients that every caller can read. */
  patientIds: readonly string[]
  fhirCallers: readonly FhirCaller[]
  fhir: FhirRecords
}

/** One kind of request; `requests` are sent over and over, in order. */
export type Row = {
  name: string
  /** Requests sent before the measurement, so that the compiler has seen the code. */
  warmUp: number
  requests: (context: Context) => BenchRequest[]
  /** CPU per request that it may cost at most, as a multiple of the floor. */
  targetRatio?: number
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

/** One request of every caller, so that each is called as often as the others. */
function fhir(pathOf: (records: FhirRecords, at: number) => string): Row['requests'] {
  return ({ fhirCallers, fhir }) =>
    fhirCallers.map(({ base, headers }, at) => ({ path: `${base}/${pathOf(fhir, at)}`, headers }))
}

/** More than one address may request: the limit is 1,200 pages a minute. */
const visitors = Array.from({ length: 1_000 }, (_, at) => ({
  'x-forwarded-for': `198.19.${Math.floor(at / 250)}.${at % 250}`,
}))

function cycle(list: readonly string[], at: number): string {
  return list[at % list.length] ?? ''
}

export const rows: readonly Row[] = [
  {
    name: 'GET /patients/{id}',
    warmUp: 5_000,
    targetRatio: 12,
    requests: ({ callers, patientIds }) =>
      callers.map(({ headers }, index) => ({
        path: `${base}/patients/${patientIds[index % patientIds.length]}`,
        headers,
      })),
  },
  {
    name: 'GET /patients?limit=50',
    warmUp: 3_000,
    targetRatio: 40,
    requests: ({ callers }) => callers.map(({ headers }) => ({ path: `${base}/patients?limit=50`, headers })),
  },
  {
    name: 'POST /patients',
    warmUp: 500,
    requests: ({ writers }) =>
      writers.map(({ headers }) => ({
        path: `${base}/patients`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(newPatient),
      })),
  },
  {
    name: 'FHIR read',
    warmUp: 5_000,
    targetRatio: 10,
    requests: fhir(({ observationIds }, at) => `Observation/${cycle(observationIds, at)}`),
  },
  {
    name: 'FHIR page of 50',
    warmUp: 3_000,
    targetRatio: 60,
    requests: fhir(({ pagePatients }, at) => `Observation?patient=${cycle(pagePatients, at)}`),
  },
  {
    name: 'FHIR page with _revinclude',
    warmUp: 2_000,
    targetRatio: 180,
    requests: fhir(
      ({ pagePatients }, at) =>
        `Observation?patient=${cycle(pagePatients, at)}&_revinclude=Provenance:target`,
    ),
  },
  {
    name: 'FHIR $everything, about 140',
    warmUp: 2_000,
    targetRatio: 180,
    requests: fhir(({ chartPatients }, at) => `Patient/${cycle(chartPatients, at)}/$everything`),
  },
  {
    name: 'FHIR rare code of 10,000',
    warmUp: 3_000,
    requests: fhir(({ longPatient, rareCode }) => `Observation?patient=${longPatient}&code=${rareCode}`),
  },
  {
    name: 'GET / (home page)',
    warmUp: 500,
    requests: () => visitors.map((headers) => ({ path: '/', headers })),
  },
]
