/** https://hl7.org/fhir/R4/http.html#capabilities — public, the same for every caller of a practice. */
import { createHash } from 'node:crypto'
import type { Deprecation } from '../../contract/http/deprecation.ts'
import { isUnchanged, validatorHeaders } from '../../http/conditions.ts'
import { takeFormat } from '../../http/fhir-format.ts'
import type { OfferedRow } from '../../store/index-versions.ts'
import type { Call } from '../call.ts'
import { capabilityStatement } from '../capability-statement.ts'
import type { Answer } from '../handler.ts'
import { queryParameters } from '../parameters.ts'

type Written = { text: string; etag: string }

/**
 * @param deprecated operations, by name
 * @param manageApps where people end what they allowed an app
 */
export function createMetadata(deprecated: Readonly<Record<string, Deprecation>>, manageApps: string) {
  const written = new Map<string, Written>()
  let writtenFrom: OfferedRow | null = null

  /**
   * @param practiceName of the practice that the base belongs to
   * @param rowOf what the store can answer now
   */
  return function metadata({ request, base }: Call, practiceName: string, rowOf: OfferedRow): Answer {
    takeFormat(queryParameters(request), request.headers.get('accept'))
    const { text, etag } = write(base, practiceName, rowOf)
    const validators = { etag, lastModified: null }
    const unchanged = isUnchanged(request.headers, validators)
    // Not cacheable: with Node 20 and later, clients built on got 11, SMART's own bulk client among them, wait forever
    // for a response that may be cached. A client that keeps it can still ask whether it changed.
    return {
      status: unchanged ? 304 : 200,
      headers: validatorHeaders(validators),
      body: unchanged ? null : text,
      count: 0,
      patientId: null,
    }
  }

  /** Practices are known ones, so that this stays small. */
  function write(base: string, practiceName: string, rowOf: OfferedRow): Written {
    if (rowOf !== writtenFrom) written.clear()
    writtenFrom = rowOf
    const key = `${base} ${practiceName}`
    const known = written.get(key)
    if (known !== undefined) return known
    const text = JSON.stringify(capabilityStatement({ base, practiceName, rowOf, deprecated, manageApps }))
    const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`
    if (written.size > 1_000) written.clear()
    written.set(key, { text, etag })
    return { text, etag }
  }
}
