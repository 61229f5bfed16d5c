import type { Caller } from './callers.ts'

export type Context = {
  /** Keys of many practices, so that no limit is reached. */
  callers: readonly Caller[]
  /** Patients that every caller can read. */
  patientIds: readonly string[]
}

/** One kind of request; `requests` are sent over and over, in order. */
export type Row = {
  name: string
  /** Requests sent before the measurement, so that the compiler has seen the code. */
  warmUp: number
  requests: (context: Context) => { path: string; headers?: Record<string, string> }[]
}

const base = '/sandbox/api/v1'

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
    name: 'GET / (home page)',
    warmUp: 500,
    requests: () => [{ path: '/' }],
  },
]
