/**
 * What a kick-off asks for, https://hl7.org/fhir/uv/bulkdata/STU2/export.html#query-parameters — strictly: what is
 * not understood is refused, never left out in silence.
 */
import { findAccess } from '../../auth/access.ts'
import type { SmartPrincipal } from '../../auth/principal.ts'
import { type FhirType, fhirRegistry, isFhirType } from '../../contract/fhir/registry.ts'
import { Problem } from '../../contract/http/problems.ts'
import type { ExportPlan } from '../../domain/bulk-exports/export-types.ts'
import { parseInstantMicros } from '../../domain/bulk-exports/since.ts'
import type { Parameter } from '../../search/compile.ts'
import { scopeCodes } from '../../search/includes.ts'

const outputFormats = new Set(['application/fhir+ndjson', 'application/ndjson', 'ndjson'])
const known = new Set(['_type', '_since', '_outputFormat'])

/** Both headers are required. @throws Problem `validation` */
export function checkHeaders(headers: Headers): void {
  const accepts = (headers.get('accept') ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    return type === 'application/fhir+json' && !parameters.some((each) => /^q=0(\.0*)?$/.test(each))
  })
  if (!accepts) throw refused('required', 'Accept', 'The header Accept: application/fhir+json is required.')
  const prefers = (headers.get('prefer') ?? '')
    .split(/[,;]/)
    .some((each) => each.trim().toLowerCase() === 'respond-async')
  if (!prefers) throw refused('required', 'Prefer', 'The header Prefer: respond-async is required.')
}

interface KickOffRequest {
  /** Asked for; null: every type that the token may read. */
  readonly types: readonly FhirType[] | null
  /** As it was sent; null: everything. */
  readonly since: string | null
  readonly sinceMicros: bigint | null
}

/** @throws Problem `validation` */
export function parseKickOff(parameters: readonly Parameter[]): KickOffRequest {
  for (const [name] of parameters) {
    if (known.has(name)) continue
    const shown = name.replace(/[^\w.:$-]/g, '').slice(0, 40)
    throw refused(
      'not-supported',
      'parameters',
      `The parameter ${shown} is not supported here. Supported: ${[...known].join(', ')}.`,
    )
  }
  const format = only(parameters, '_outputFormat')
  // A plus that was not encoded has become a space.
  if (format !== null && !outputFormats.has(format.trim().toLowerCase().replace(' ', '+'))) {
    throw refused(
      'value',
      '_outputFormat',
      '_outputFormat must be application/fhir+ndjson, application/ndjson or ndjson.',
    )
  }
  const since = only(parameters, '_since')
  const sinceMicros = since === null ? null : parseInstantMicros(since)
  if (since !== null && sinceMicros === null) {
    throw refused('value', '_since', '_since must be an instant, such as 2026-01-31T09:30:00Z, URL-encoded.')
  }
  return { types: parseTypes(parameters), since, sinceMicros }
}

/** @throws Problem `validation` */
export function checkPast(sinceMicros: bigint | null, now: Date): void {
  if (sinceMicros === null || sinceMicros <= BigInt(now.getTime() + 1) * 1000n) return
  throw refused('value', '_since', '_since is in the future.')
}

/**
 * Types in order, each with what of it is granted to read and to search.
 * @throws Problem `forbidden`
 */
export function planExport(principal: SmartPrincipal, types: readonly FhirType[] | null): ExportPlan {
  if (principal.audience !== 'backend') {
    throw new Problem('forbidden', {
      message: 'Bulk export needs the token of a backend system.',
      detail: 'not a backend token',
    })
  }
  const whole = { ...principal, scopes: principal.scopes.filter(({ read, search }) => read && search) }
  const plan: ExportPlan = []
  for (const type of types ?? (Object.keys(fhirRegistry) as FhirType[])) {
    const access = findAccess(whole, type, 'search')
    if (access === null && types === null) continue
    if (access === null) {
      throw new Problem('forbidden', {
        message: `This token doesn’t allow exporting ${type}. It needs system/${type}.rs.`,
        detail: `no scope for export of ${type}`,
      })
    }
    const codes = scopeCodes(access.grants)
    plan.push({ type, codes: codes === null ? null : codes.map((each) => ({ ...each })) })
  }
  if (plan.length > 0) return plan.sort((one, other) => (one.type < other.type ? -1 : 1))
  throw new Problem('forbidden', {
    message: 'This token allows no type to be exported. It needs scopes such as system/Patient.rs.',
    detail: 'no scope for export',
  })
}

function parseTypes(parameters: readonly Parameter[]): FhirType[] | null {
  const given = parameters.filter(([name]) => name === '_type')
  if (given.length === 0) return null
  const types = given.flatMap(([, value]) => value.split(',').map((each) => each.trim()))
  const wrong = types.find((each) => !isFhirType(each))
  if (wrong === undefined) return [...new Set(types)] as FhirType[]
  throw refused(
    'value',
    '_type',
    wrong === ''
      ? '_type must list resource types, separated by commas.'
      : `_type contains ${wrong.replace(/\W/g, '').slice(0, 40)}, which is not a resource type of this server.`,
  )
}

function only(parameters: readonly Parameter[], name: string): string | null {
  const given = parameters.filter(([each]) => each === name)
  if (given.length > 1) throw refused('value', name, `${name} is given twice.`)
  return given[0]?.[1] ?? null
}

function refused(fhirIssue: string, field: string, message: string): Problem {
  return new Problem('validation', { fhirIssue, field, message })
}
