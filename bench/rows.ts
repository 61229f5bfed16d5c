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
  requests: (context: Context) => { path: string; headers?: Record<string, string> }[]
}

const base = '/sandbox/api/v1'

export const rows: readonly Row[] = [
  {
    name: 'GET /patients/{id}',
    requests: ({ callers, patientIds }) =>
      callers.map(({ headers }, index) => ({
        path: `${base}/patients/${patientIds[index % patientIds.length]}`,
        headers,
      })),
  },
  {
    name: 'GET /patients?limit=50',
    requests: ({ callers }) => callers.map(({ headers }) => ({ path: `${base}/patients?limit=50`, headers })),
  },
  {
    name: 'GET / (home page)',
    requests: () => [{ path: '/' }],
  },
]
