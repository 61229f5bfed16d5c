/**
 * What the profiles of US Core 6.1.0 ask of a resource: mandatory and must-support elements, slices and extensions.
 * https://hl7.org/fhir/us/core/STU6.1/must-support.html
 */
import table from './us-core-must-support.json' with { type: 'json' }

export interface Slice {
  readonly name: string
  readonly path: string
  readonly by: {
    readonly type: string
    readonly path?: string
    readonly code?: string
    readonly system?: string
    readonly values?: readonly { path?: string; value?: string; system?: string; code?: string }[]
  }
}

export interface ProfileFacts {
  readonly resource: string
  readonly profile: string
  /** Required at every level from the root. */
  readonly mandatory: readonly string[]
  readonly elements: readonly { path: string; fixed?: string; targets?: readonly string[] }[]
  readonly slices: readonly Slice[]
  readonly extensions: readonly { name: string; path: string; url: string }[]
  /** Groups of which any one suffices. */
  readonly choices: readonly {
    paths?: readonly string[]
    extensions?: readonly string[]
    targets?: readonly string[]
  }[]
}

export const profiles = table as readonly ProfileFacts[]
