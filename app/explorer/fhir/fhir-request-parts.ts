/** What every kind of request of the builder is made of, and how one is refused. */
import type { OperationCall } from '../../../server/contract/fhir/operation-calls.ts'

export interface FhirRequest {
  readonly interaction: 'search' | 'read' | 'next' | 'operation'
  readonly type: string
  /** Below the base, with its query; without a slash in front. */
  readonly path: string
  /** Types whose own scope decides what is added beside the matches. */
  readonly included: readonly string[]
  /** Of an operation: its name with `$`, what a token needs for it, and what its answer is. */
  readonly operation?: Omit<OperationCall, 'inputs'> & {
    readonly name: string
    readonly isInstance: boolean
  }
}

export interface RefusedRequest {
  readonly kind: 'refused'
  readonly field: string
  readonly message: string
  /** A person wrote an address of their own: worth a line in the log. */
  readonly address: boolean
}

export type BuiltRequest = { readonly kind: 'built'; readonly request: FhirRequest } | RefusedRequest

export type Fields = Pick<FormData, 'get' | 'getAll'>

/** Of a typed value. */
export const valueMax = 500
export const countMax = 500
export const idRule = 'An ID has letters, digits, hyphens and dots, 64 at most.'

/** https://hl7.org/fhir/R4/datatypes.html#id, without what a path would walk by. */
export const isId = (text: string): boolean => /^[A-Za-z0-9.-]{1,64}$/.test(text) && !/^\.+$/.test(text)

/** True where the value seems to be an address or a piece of one. */
export const hasAddress = (text: string): boolean => /[/:\\%@?#]/.test(text)

export function refused(field: string, message: string, address = false): RefusedRequest {
  return { kind: 'refused', field, message, address }
}

export function textOf(fields: Fields, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

/** Of a field that is there several times, in the order of the form. */
export const textsOf = (fields: Fields, name: string): readonly string[] =>
  fields.getAll(name).map((value) => (typeof value === 'string' ? value.trim() : ''))
