import type { Caller } from './callers.ts'
import type { BenchRequest } from './measure.ts'

export type Context = {
  /** Keys of many practices, so that no limit is reached. */
  callers: readonly Caller[]
  /** Keys of practices with records of their own, which may write. */
  writers: readonly Caller[]
  /** Patients that every caller can read. */
  patientIds: readonly string[]
}

/** One kind of request; `requests` are sent over and over, in order. */
export type Row = {
  name: string
  /** Requests sent before the measurement, so that the compiler has seen the code. */
  warmUp: number
  requests: (context: Context) => BenchRequest[]
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

export const rows: readonly Row[] = [
  {
    name: 'GET /patients/{id}',
    warmUp: 5_000,
    requests: ({ callers, patientIds }) =>
      callers.map(({ headers }, index) => ({
        path: `${base}/patients/${patientIds[index % patientIds.length]}`,
        headers,
      })),
  },
  {
    name: 'GET /patients?limit=50',
    warmUp: 3_000,
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
    name: 'GET / (home page)',
    warmUp: 500,
    requests: () => [{ path: '/' }],
  },
]
