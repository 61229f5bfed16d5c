/** A section as the document and its page have it in common: what people read, and for each item the entry. */
import { type CcdaSectionKey, ccdaRoot } from '../contract/fhir/ccda-sections.ts'
import { actCodeSystem } from '../contract/fhir/ccda-values.ts'
import type { Chart } from './chart.ts'
import { code } from './values.ts'
import { type Child, el, join, type Xml } from './xml.ts'

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
export const refOf = (section: CcdaSectionKey, { id }: { id: string }, part = ''): string =>
  `${section}-${id}${part}`

export const oneRow = (ref: string, cells: readonly string[]): readonly Row[] => [{ ref, cells }]

// Elements, template ids and codes that many entries have.

export const actEvent = (...children: readonly Child[]) =>
  el('act', { classCode: 'ACT', moodCode: 'EVN' }, ...children)
export const observationEvent = (...children: readonly Child[]) =>
  el('observation', { classCode: 'OBS', moodCode: 'EVN' }, ...children)
export const related = (typeCode: string, entry: Xml) => el('entryRelationship', { typeCode }, entry)
/** Of an entry that is the source of the relationship, not its target. */
export const inverted = (typeCode: string, entry: Xml) =>
  el('entryRelationship', { typeCode, inversionInd: true }, entry)

/**
 * Of a template of C-CDA, with its version. What has a version stands without it as well, for readers of R1.1.
 * @param root below the root of C-CDA, or whole
 */
export function template(root: string, extension: string | null = null): Xml {
  const key = `${root} ${extension}`
  const known = written.get(key)
  if (known !== undefined) return known
  const its = writeTemplate(root, extension)
  written.set(key, its)
  return its
}

/** As many as there are templates. */
const written = new Map<string, Xml>()

function writeTemplate(root: string, extension: string | null): Xml {
  const whole = root.startsWith('2.16.') ? root : `${ccdaRoot}.${root}`
  const plain = el('templateId', { root: whole })
  return extension === null ? plain : join([el('templateId', { root: whole, extension }), plain])
}

/** Of one version alone: for templates that R1.1 does not have. */
export const newTemplate = (root: string, extension: string): Xml =>
  el('templateId', { root: `${ccdaRoot}.${root}`, extension })

export const status = (value: string): Xml => el('statusCode', { code: value })

export const assertion = code('code', { code: 'ASSERTION', display: 'Assertion' }, actCodeSystem)
export const concern = code(
  'code',
  { code: 'CONC', display: 'Concern' },
  { oid: '2.16.840.1.113883.5.6', name: 'ActClass' },
)
