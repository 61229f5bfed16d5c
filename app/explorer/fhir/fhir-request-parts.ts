/** Types and checks that all kinds of the builder's requests share. */
import type { OperationCall } from '../../../server/contract/fhir/operation-calls.ts'

export interface FhirRequest {
  readonly interaction: 'search' | 'read' | 'next' | 'operation'
  readonly type: string
  /** The path below the base with its query, without a leading slash. */
  readonly path: string
  /** Types of included resources. Each needs its own scope. */
  readonly included: readonly string[]
  /** An operation's name with `$`, the scopes that it needs, and the media type that it returns. */
  readonly operation?: Omit<OperationCall, 'inputs'> & {
    readonly name: string
    readonly isInstance: boolean
  }
}

export interface RefusedRequest {
  readonly kind: 'refused'
  readonly field: string
  readonly message: string
  /** A person entered a URL of their own, which is logged. */
  readonly address: boolean
}

export type BuiltRequest = { readonly kind: 'built'; readonly request: FhirRequest } | RefusedRequest

export type Fields = Pick<FormData, 'get' | 'getAll'>

/** The most characters of a typed value. */
export const valueMax = 500
export const countMax = 500
export const idRule = 'An ID has letters, digits, hyphens and dots, 64 at most.'

/** https://hl7.org/fhir/R4/datatypes.html#id, except for dot segments, which would change the path. */
export const isId = (text: string): boolean => /^[A-Za-z0-9.-]{1,64}$/.test(text) && !/^\.+$/.test(text)

/** Whether the value may be a URL or a part of one. */
export const hasAddress = (text: string): boolean => /[/:\\%@?#]/.test(text)

export function refused(field: string, message: string, address = false): RefusedRequest {
  return { kind: 'refused', field, message, address }
}

export function textOf(fields: Fields, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** The values of a repeated field, in the form's order. */
export const textsOf = (fields: Fields, name: string): readonly string[] =>
  fields.getAll(name).map((value) => (typeof value === 'string' ? value.trim() : ''))
