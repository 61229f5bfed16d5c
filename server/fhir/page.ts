/** Opens and writes the pages of searches. */
import type { SmartPrincipal } from '../auth/principal.ts'
import { type FhirType, registryRow } from '../contract/fhir/registry.ts'
import { basePlaceholder } from '../contract/fhir/type-row.ts'
import { type OutcomeIssue, outcomeText } from '../http/fhir-answer.ts'
import type { Handling, Parameter } from '../search/compile.ts'
import { type CursorContents, type Cursors, cursorParameter } from '../search/cursor.ts'
import type { Position } from '../search/plan.ts'
import type { SearchPage } from '../store/search.ts'
import type { Call } from './call.ts'
import { formatParameters } from './parameters.ts'

/** The request for a page. For later pages, its parameters come from the cursor. */
interface PageRequest {
  readonly parameters: readonly Parameter[]
  readonly handling: Handling
  readonly after: Position | null
  /** The total from the cursor; null on the first page. */
  readonly total: number | null
  /** The cursor of a later page. */
  readonly cursor: string | null
}

type PageOptions = {
  call: Call
  parameters: readonly Parameter[]
  cursors: Cursors
  principal: SmartPrincipal
  /** The cursor is only valid for this path. */
  path: string
}

/** @throws Problem `validation` for an invalid cursor */
export function openPage({ call, parameters, cursors, principal, path }: PageOptions): PageRequest {
  const pair = parameters.find(([name]) => name === cursorParameter)
  if (pair === undefined) {
    const handling = handlingOf(call.request.headers.get('prefer'))
    return { parameters, handling, after: null, total: null, cursor: null }
  }
  const [, cursor] = pair
  const { position, ...contents }: CursorContents = cursors.open(cursor, path, principal)
  return { ...contents, after: position, cursor }
}

type FoundPage = Pick<SearchPage, 'total' | 'next' | 'includedCut'> & Pick<Searchset, 'matches' | 'included'>

/** For the access record. A total above 0 without entries counts as one record, because it reveals that records exist. */
export const countRecords = ({ matches, included, total }: FoundPage): number =>
  matches.length + included.length || Number((total ?? 0) > 0)

type Compiled = {
  readonly understood: readonly Parameter[]
  readonly ignored: readonly { readonly name: string; readonly reason: string }[]
}

export function writePage(
  { call, cursors, principal, path }: Omit<PageOptions, 'parameters'>,
  request: PageRequest,
  { understood, ignored }: Compiled,
  page: FoundPage,
): Buffer {
  const total = page.total ?? request.total ?? page.matches.length
  const pathUrl = `${call.base}/${path}`
  const link = (cursor: string) => `${pathUrl}?${cursorParameter}=${cursor}`
  const next =
    page.next === null
      ? null
      : link(
          cursors.seal(
            {
              path,
              parameters: request.parameters.map(([name, value]) => [name, value] as const),
              handling: request.handling,
              position: page.next,
              total,
            },
            principal,
          ),
        )
  const query = formatParameters(understood)
  const self =
    request.cursor === null ? (query === '' ? pathUrl : `${pathUrl}?${query}`) : link(request.cursor)
  const { matches, included } = page
  return searchset({
    base: call.base,
    total,
    self,
    next,
    matches,
    included,
    warnings: warningsOf(ignored, page.includedCut),
  })
}

function warningsOf(ignored: Compiled['ignored'], includedCut: boolean): OutcomeIssue[] {
  const warnings = ignored.map(
    ({ name, reason }): OutcomeIssue => ({
      severity: 'warning',
      code: 'not-supported',
      diagnostics: `${name.slice(0, 60)} was ignored: ${reason}`,
    }),
  )
  const cut: OutcomeIssue = {
    severity: 'warning',
    code: 'incomplete',
    diagnostics: 'The page can’t hold all included resources. Request a smaller page with _count.',
  }
  return includedCut ? [...warnings, cut] : warnings
}

// Builds a searchset by joining stored texts, without parsing or serializing them.
// https://hl7.org/fhir/R4/bundle.html#searchset

/** A resource from the store. */
export interface StoredText {
  readonly type: FhirType
  readonly id: string
  readonly content: string | Buffer
  /** For an on-demand document, which has no URL of its own. */
  readonly fullUrl?: string
}

interface Searchset {
  /** Absolute FHIR base of the practice. */
  readonly base: string
  readonly total: number
  readonly self: string
  readonly next: string | null
  readonly matches: readonly StoredText[]
  readonly included: readonly StoredText[]
  /** Ignored parameters and omitted resources, for an OperationOutcome entry. */
  readonly warnings: readonly OutcomeIssue[]
}

function searchset({ base, total, self, next, matches, included, warnings }: Searchset): Buffer {
  const links = [{ relation: 'self', url: self }, ...(next === null ? [] : [{ relation: 'next', url: next }])]
  const entries = [
    ...matches.map((resource) => entry(base, resource, 'match')),
    ...included.map((resource) => entry(base, resource, 'include')),
    ...(warnings.length === 0 ? [] : [[`{"resource":${outcomeText(warnings)},"search":{"mode":"outcome"}}`]]),
  ]
  const head = `{"resourceType":"Bundle","type":"searchset","total":${total},"link":${JSON.stringify(links)}`
  // FHIR does not allow empty arrays.
  if (entries.length === 0) return Buffer.from(`${head}}`)
  return join([
    head,
    ...entries.flatMap((pieces, index) => [index === 0 ? ',"entry":[' : ',', ...pieces]),
    ']}',
  ])
}

/** Copies buffers once, without decoding them to strings. */
function join(pieces: readonly (string | Buffer)[]): Buffer {
  const buffers: Buffer[] = []
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else {
      buffers.push(Buffer.from(text), piece)
      text = ''
    }
  }
  return Buffer.concat([...buffers, Buffer.from(text)])
}

/** Replaces the placeholder by the base URL in types that contain it. */
export const servedText = (base: string, { type, content }: StoredText): string | Buffer =>
  registryRow(type).holdsBase ? content.toString().replaceAll(basePlaceholder, base) : content

function entry(base: string, resource: StoredText, mode: 'match' | 'include'): (string | Buffer)[] {
  const { type, id, fullUrl = `${base}/${type}/${id}` } = resource
  return [`{"fullUrl":"${fullUrl}","resource":`, servedText(base, resource), `,"search":{"mode":"${mode}"}}`]
}

// https://hl7.org/fhir/R4/search.html#errors: strict unless the `Prefer` header requests lenient handling.

export function handlingOf(prefer: string | null): Handling {
  return prefer !== null && /(^|[,;])\s*handling\s*=\s*"?lenient"?\s*($|[,;])/i.test(prefer)
    ? 'lenient'
    : 'strict'
}
