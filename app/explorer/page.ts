/** The explorer's one page, whichever interface it calls: plain data, so that no table of the server travels with it. */

import type { RequestField } from '../shared/operations/operation.ts'

export type Api = 'REST' | 'FHIR' | 'MCP'

/** The values of a form, by the names of its inputs. */
export type Values = Readonly<Record<string, string | readonly string[]>>

export type Choice = Readonly<{ value: string; display: string }>

export interface OperationGroup {
  readonly title: string
  readonly rows: readonly {
    readonly to: string
    readonly method: string
    readonly label: string
    readonly isCurrent: boolean
    readonly writes?: boolean
  }[]
}

/** The key or token of a call. */
export interface Credential {
  /** Of the form's field. */
  readonly name: 'level' | 'as'
  readonly label: string
  readonly groups: readonly { readonly title: string; readonly choices: readonly Choice[] }[]
  readonly value: string
  /** The form depends on it. */
  readonly reloads: boolean
}

/** One of the last calls, as the page lists it. */
export interface LastCall {
  readonly id: string
  readonly to: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly at: Date
  readonly durationMs: number
}

export interface ExplorerPage {
  readonly api: Api
  readonly title: string
  readonly description: string
  readonly reference: { readonly to: string; readonly label: string } | null
  /** The document that the form is made from. */
  readonly source: { readonly label: string; readonly version: string; readonly to: string }
  readonly operations: readonly OperationGroup[]
  readonly request: {
    /** Another one has another form. */
    readonly key: string
    /** Where the form is sent, with what it was made for in its query. */
    readonly action: string
    readonly method: string
    readonly base: string
    /** Below the base: `/patients/{id}`. */
    readonly path: string
    readonly fields: readonly RequestField[]
    readonly hidden: Readonly<Record<string, string>>
  }
  readonly values: Values
  /** People and codes that fields suggest, by what names a person or by the name of the field. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>
  readonly practices: readonly Choice[]
  readonly practice: string
  readonly credential: Credential
  readonly suggestions: readonly {
    readonly title: string
    readonly list: readonly { readonly label: string; readonly search: string }[]
  }[]
  /** Of a call from the history: what was not stored. */
  readonly note: string | null
  readonly idle: { readonly title: string; readonly text: string; readonly example: string | null }
  readonly signedIn: boolean
  readonly history: {
    readonly calls: readonly LastCall[]
    readonly callsMax: number
    readonly days: number
  }
}

/** What could not be sent, said beside its field where it has one. */
export interface Fault {
  readonly field: string | null
  readonly message: string
}

export function textsOf(values: Values, input: string): readonly string[] {
  const value = values[input]
  return value === undefined ? [] : [value].flat()
}
