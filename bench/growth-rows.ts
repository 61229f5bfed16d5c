/** Requests whose cost may not depend on how much else is stored. */
import type { BenchRequest } from './measure.ts'

/** Who asks, and for what. */
export type Place = {
  fhir: { base: string; headers: Record<string, string> }
  rest: Record<string, string>
  patient: string
  /** The last page of the list of patients begins there. */
  deepOffset: number
  /** Of a patient who is there. */
  family: string
}

const base = '/sandbox/api/v1'

export const growthRows: Record<string, (place: Place) => BenchRequest> = {
  'FHIR page of 50': ({ fhir, patient }) => ({
    path: `${fhir.base}/Observation?patient=${patient}&_count=50`,
    headers: fhir.headers,
  }),
  'FHIR page with _revinclude': ({ fhir, patient }) => ({
    path: `${fhir.base}/Observation?patient=${patient}&_count=50&_revinclude=Provenance:target`,
    headers: fhir.headers,
  }),
  'FHIR $everything': ({ fhir, patient }) => ({
    path: `${fhir.base}/Patient/${patient}/$everything?_count=100`,
    headers: fhir.headers,
  }),
  'REST list of 10': ({ rest }) => ({ path: `${base}/patients?limit=10`, headers: rest }),
  'REST list, deep offset': ({ rest, deepOffset }) => ({
    path: `${base}/patients?limit=10&offset=${deepOffset}`,
    headers: rest,
  }),
  'MCP search': ({ rest, family }) => ({
    path: `${base}/mcp`,
    method: 'POST',
    headers: { ...rest, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_patients', arguments: { q: family, limit: 10 } },
    }),
  }),
}
