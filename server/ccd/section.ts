/** A section as the document and its page have it in common: what people read, and for each item the entry. */
import type { CcdaSectionKey } from '../contract/fhir/ccda-sections.ts'
import type { Chart } from './chart.ts'
import type { Xml } from './xml.ts'

export interface Row {
  /** Unique in the document; where entries point to. */
  readonly ref: string
  /** One for each column; line breaks are kept. */
  readonly cells: readonly string[]
}

export interface Item {
  /** Of one entry; never empty. */
  readonly rows: readonly Row[]
  /** Null: people alone are told. */
  entry(): Xml | null
}

export interface Section {
  readonly columns: readonly string[]
  /** Said where there is nothing. */
  readonly nothing: string
  /** In the order of the narrative. */
  items(chart: Chart): AsyncIterable<Item>
}

/** Ids of resources are FHIR's; before them stands what makes them unique in the document. */
export function refOf(section: CcdaSectionKey, { id }: { id: string }, part = ''): string {
  return `${section}-${id}${part}`
}
