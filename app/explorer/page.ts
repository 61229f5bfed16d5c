/** The data of an explorer page for any API: plain data, so that no table of the server goes to the browser. */

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
  /** The name of the form's field. */
  readonly name: 'level' | 'as'
  readonly label: string
  readonly groups: readonly { readonly title: string; readonly choices: readonly Choice[] }[]
  readonly value: string
  /** Reloads the page after a change, because the form depends on the credential. */
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
    /** A new key makes a new form. */
    readonly key: string
    /** The form's action, whose query says what the form was built for. */
    readonly action: string
    readonly method: string
    readonly base: string
    /** The path below the base: `/patients/{id}`. */
    readonly path: string
    readonly fields: readonly RequestField[]
    readonly hidden: Readonly<Record<string, string>>
  }
  readonly values: Values
  /** Suggested people and codes, by the kind of identifier or by the field's name. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>
  readonly practices: readonly Choice[]
  readonly practice: string
  readonly credential: Credential
  readonly suggestions: readonly {
    readonly title: string
    readonly list: readonly { readonly label: string; readonly search: string }[]
  }[]
  /** Says which values of a call from the history were not stored. */
  readonly note: string | null
  readonly idle: { readonly title: string; readonly text: string; readonly example: string | null }
  readonly signedIn: boolean
  readonly history: {
    readonly calls: readonly LastCall[]
    readonly callsMax: number
    readonly days: number
  }
}

/** Why the form could not be sent, shown beside its field if it has one. */
export interface Fault {
  readonly field: string | null
  readonly message: string
}

export function textsOf(values: Values, input: string): readonly string[] {
  const value = values[input]
  return value === undefined ? [] : [value].flat()
}
