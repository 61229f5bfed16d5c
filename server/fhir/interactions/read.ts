/** https://hl7.org/fhir/R4/http.html#read — a search by id: what is not visible is not there. */
import { accessTo } from '../../auth/access.ts'
import type { FhirType } from '../../contract/fhir-registry.ts'
import { Problem } from '../../contract/problems.ts'
import { isUnchanged, validatorHeaders } from '../../http/fhir-answer.ts'
import { takeFormat } from '../../http/fhir-format.ts'
import { compileRead } from '../../search/compile.ts'
import { servedText } from '../bundle.ts'
import type { Answer, HandlerCall } from '../handler.ts'
import { queryParameters } from '../parameters.ts'
import { checkId } from '../resource-id.ts'

export async function read({ call, store, ask }: HandlerCall, type: FhirType, id: string): Promise<Answer> {
  const { headers } = call.request
  let patientId: string | null = null
  const { resource } = await ask((principal, liveness) => {
    const access = accessTo(principal, type, 'read')
    refuseParameters(call.request)
    checkId(id)
    patientId = access.patientId
    return store.read(principal.practice.datasetId, compileRead(access, id), liveness)
  })
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
    message: 'A read takes no parameters but _format and _pretty.',
    field: 'parameters',
    fhirIssue: 'not-supported',
  })
}
