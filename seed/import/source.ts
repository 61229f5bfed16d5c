/** A text that may hold a resource. */
export interface Source {
  readonly file: string
  /** Line of an NDJSON file, entry of a Bundle; from 1. */
  readonly position: number
  /** Null when it is longer than the limit. */
  readonly text: string | null
  /** The text is an entry of a Bundle, with the resource inside. */
  readonly isEntry: boolean
}
