/** https://hl7.org/fhir/R4/http.html#read — a search by id: what is not visible is not there. */
import { accessToRead } from '../../auth/access.ts'
import { type FhirType, registryRow } from '../../contract/fhir/registry.ts'
import { Problem } from '../../contract/http/problems.ts'
import { isUnchanged, validatorHeaders } from '../../http/conditions.ts'
import { takeFormat } from '../../http/fhir-format.ts'
import { checkId } from '../../http/fhir-id.ts'
import { compileRead } from '../../search/compile.ts'
import { servedText } from '../bundle.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { findOnDemand, onDemandReference } from '../operations/on-demand.ts'
import { queryParameters } from '../parameters.ts'

export async function read(
  { call, store, ccd, ask }: HandlerCall,
  type: FhirType,
  id: string,
): Promise<Answer> {
  const { headers } = call.request
  let patientId: string | null = null
  const { resource, made } = await ask(async (principal, liveness) => {
    const access = accessToRead(principal, type, id)
    refuseParameters(call.request)
    checkId(id)
    patientId = access.patientId
    const found = await store.read(principal.practice.datasetId, compileRead(access, id), liveness)
    if (!found.alive || found.resource !== null || !registryRow(type).madeOnDemand) {
      return { ...found, made: null }
    }
    const onDemand = await findOnDemand(ccd.describe, principal, liveness, id)
    return { alive: onDemand.alive, resource: null, made: onDemand.ccd }
  })
  if (made !== null) {
    const validators = { etag: `W/"${made.id}"`, lastModified: made.changedAt }
    const unchanged = isUnchanged(headers, validators)
    return {
      status: unchanged ? 304 : 200,
      headers: validatorHeaders(validators),
      body: unchanged ? null : servedText(call.base, onDemandReference(made)),
      count: 1,
      patientId: made.patientId,
    }
  }
  if (resource === null) throw new Problem('not_found')
  const validators = { etag: `W/"${resource.version}"`, lastModified: resource.lastUpdated }
  const unchanged = isUnchanged(headers, validators)
  return {
    status: unchanged ? 304 : 200,
    headers: validatorHeaders(validators),
    body: unchanged ? null : servedText(call.base, resource),
    count: 1,
    patientId: resource.patientId ?? patientId,
  }
}

/** A read has no parameters but those of the format: `_summary` and `_elements` would be ignored in silence. */
export function refuseParameters(request: Request): void {
  const [unknown] = takeFormat(queryParameters(request), request.headers.get('accept'))
  if (unknown === undefined) return
  throw new Problem('validation', {
    message: 'A read accepts only the parameters _format and _pretty.',
    field: 'parameters',
    fhirIssue: 'not-supported',
  })
}
