/** Codes and quantities of FHIR as those of CDA. */
import type * as fhir from 'fhir/r4.js'
import {
  type CdaCode,
  type CodeSystem,
  codeSystemOids,
  nullFlavorSystem,
  ucumSystem,
} from '../contract/fhir/ccda-values.ts'
import { time } from './times.ts'
import { type Child, el, text, type Xml } from './xml.ts'

type Concept = fhir.CodeableConcept | undefined

type CodeOptions = {
  /** Says what type a `value` has. */
  typed?: boolean
  /** The narrative that contains the code. */
  ref?: string | undefined
  /** The systems that a template takes, in the order of their worth: one of these leads, or none does. */
  prefer?: readonly CodeSystem[]
  /** Stands after the original text. */
  more?: readonly Child[]
}

/** A concept with its codes, their displays and the text in which it was put. One without codes is its text alone. */
export function concept(name: string, source: Concept, options: CodeOptions = {}): Xml {
  const { typed = false, ref, prefer, more = [] } = options
  const words = displayText(source)
  const codings = (source?.coding ?? []).filter(({ code }) => code !== undefined && code !== '')
  const known = codings.flatMap((coding) => {
    const system = systemOf(coding.system)
    return system === null ? [] : [{ coding, system }]
  })
  const leading = prefer === undefined ? known[0] : firstOf(known, prefer)
  const others = known.filter((each) => each !== leading)
  const flavor = codings.find(({ system }) => system === nullFlavorSystem)?.code
  const attributes = leading
    ? codeAttributes(leading.coding, leading.system)
    : { nullFlavor: flavor ?? (words === '' ? 'UNK' : 'OTH') }
  return el(
    name,
    typed ? { 'xsi:type': 'CD', ...attributes } : attributes,
    originalText(words, ref),
    ...more,
    others.map(({ coding, system }) => el('translation', codeAttributes(coding, system))),
  )
}

/** A code of one of the tables of the contract. */
export function code(
  name: string,
  { code: its, display }: CdaCode,
  system: CodeSystem,
  { typed, children = [] }: { typed?: boolean | 'CE'; children?: readonly Child[] } = {},
): Xml {
  return el(
    name,
    {
      ...(typed && { 'xsi:type': typed === 'CE' ? 'CE' : 'CD' }),
      ...codeAttributes({ code: its, display }, system),
    },
    ...children,
  )
}

function originalText(words: string, ref: string | undefined): Xml | null {
  if (words === '' && ref === undefined) return null
  return el('originalText', {}, text(words), ref !== undefined && reference(ref))
}

/** Into the narrative of the section. */
export const reference = (ref: string): Xml => el('reference', { value: `#${ref}` })

export const textOf = (ref: string): Xml => el('text', {}, reference(ref))

/** As people read it. */
export function displayText(source: Concept): string {
  return (
    source?.text ?? source?.coding?.find(({ display }) => display)?.display ?? source?.coding?.[0]?.code ?? ''
  )
}

/** The code of a system in a concept, or undefined. */
export const codeIn = (source: Concept, system: string): string | undefined =>
  source?.coding?.find((coding) => coding.system === system)?.code

function firstOf<Each extends { system: CodeSystem }>(known: readonly Each[], prefer: readonly CodeSystem[]) {
  for (const wanted of prefer) {
    const found = known.find(({ system }) => system.oid === wanted.oid)
    if (found !== undefined) return found
  }
  return undefined
}

function systemOf(system: string | undefined): CodeSystem | null {
  const known = codeSystemOids[system ?? '']
  if (known !== undefined) return known
  const oid = /^urn:oid:([0-2](?:\.(?:0|[1-9]\d*))+)$/.exec(system ?? '')?.[1]
  return oid === undefined ? null : { oid, name: '' }
}

function codeAttributes({ code: its, display }: fhir.Coding, { oid, name }: CodeSystem) {
  return {
    // Codes of CDA hold no white space.
    code: its !== undefined && /\s/.test(its) ? its.replace(/\s/g, '_') : its,
    codeSystem: oid,
    codeSystemName: name === '' ? undefined : name,
    displayName: display,
  }
}

/** A UCUM unit; what FHIR counts in words is one of UCUM's own annotations. */
export function unitOf({ system, code: its, unit }: fhir.Quantity): string | undefined {
  if (system === ucumSystem && its) return its.replace(/\s/g, '')
  const words = (its ?? unit ?? '').replace(/[^!-z|~]+/g, '_')
  return words === '' ? undefined : `{${words}}`
}

/** A physical quantity, or an interval where only a bound of it is known. */
export function quantity(
  name: string,
  amount: fhir.Quantity | undefined,
  { typed = false, unit = false } = {},
): Xml {
  if (amount?.value === undefined) {
    return el(name, { ...(typed && { 'xsi:type': 'PQ' }), nullFlavor: 'UNK', unit: unit ? '1' : undefined })
  }
  const measured = { value: amount.value, unit: unitOf(amount) ?? (unit ? '1' : undefined) }
  const bound = typed ? bounds[amount.comparator ?? ''] : undefined
  if (bound === undefined || unit) {
    return el(name, { ...(typed && { 'xsi:type': 'PQ' }), ...measured })
  }
  return el(name, { 'xsi:type': 'IVL_PQ' }, el(bound.side, { ...measured, inclusive: bound.inclusive }))
}

const bounds: Readonly<Record<string, { side: 'low' | 'high'; inclusive: boolean }>> = {
  '<': { side: 'high', inclusive: false },
  '<=': { side: 'high', inclusive: true },
  '>': { side: 'low', inclusive: false },
  '>=': { side: 'low', inclusive: true },
}

export function shownQuantity(quantity: fhir.Quantity | undefined): string {
  if (quantity?.value === undefined) return ''
  return `${quantity.comparator ?? ''}${quantity.value} ${quantity.unit ?? quantity.code ?? ''}`.trim()
}

/** A time in a person's life, given as an age or in words. */
export function shownAge(age?: fhir.Age, range?: fhir.Range, words?: string): string {
  if (age?.value !== undefined) return `age ${shownQuantity(age)}`
  if (range !== undefined) return `age ${shownRange(range)}`
  return words ?? ''
}

const shownRange = ({ low, high }: fhir.Range): string => `${shownQuantity(low)} to ${shownQuantity(high)}`

type Valued = Pick<
  fhir.Observation,
  | 'valueQuantity'
  | 'valueCodeableConcept'
  | 'valueString'
  | 'valueBoolean'
  | 'valueInteger'
  | 'valueDateTime'
  | 'valueRange'
  | 'valueRatio'
  | 'valueTime'
  | 'valuePeriod'
  | 'dataAbsentReason'
>

/** What was found, in the type it has; unknown when nothing was. */
export function foundValue(found: Valued, ref?: string): Xml {
  if (found.valueQuantity) return quantity('value', found.valueQuantity, { typed: true })
  if (found.valueCodeableConcept) return concept('value', found.valueCodeableConcept, { typed: true, ref })
  if (found.valueInteger !== undefined) return el('value', { 'xsi:type': 'INT', value: found.valueInteger })
  if (found.valueBoolean !== undefined) return el('value', { 'xsi:type': 'BL', value: found.valueBoolean })
  if (found.valueDateTime) {
    return time('value', found.valueDateTime).replace('<value', '<value xsi:type="TS"') as Xml
  }
  const words = shownValue(found)
  return words === ''
    ? el('value', { 'xsi:type': 'CD', nullFlavor: absence(found.dataAbsentReason) })
    : el('value', { 'xsi:type': 'ST' }, text(words))
}

export function shownValue(found: Valued): string {
  if (found.valueQuantity) return shownQuantity(found.valueQuantity)
  if (found.valueCodeableConcept) return displayText(found.valueCodeableConcept)
  if (found.valueBoolean !== undefined) return found.valueBoolean ? 'yes' : 'no'
  if (found.valueRange) return shownRange(found.valueRange)
  if (found.valueRatio) {
    return `${shownQuantity(found.valueRatio.numerator)} / ${shownQuantity(found.valueRatio.denominator)}`
  }
  if (found.valuePeriod) return `${found.valuePeriod.start ?? ''} to ${found.valuePeriod.end ?? ''}`
  const plain = found.valueString ?? found.valueInteger ?? found.valueDateTime ?? found.valueTime
  return plain === undefined ? displayText(found.dataAbsentReason) : String(plain)
}

/** https://hl7.org/fhir/R4/codesystem-data-absent-reason.html */
const absences: Readonly<Record<string, string>> = {
  'asked-unknown': 'ASKU',
  'asked-declined': 'ASKU',
  'not-asked': 'NASK',
  'temp-unknown': 'NAV',
  masked: 'MSK',
  'not-applicable': 'NA',
  'not-performed': 'NI',
}

const absence = (reason: Concept): string => absences[reason?.coding?.[0]?.code ?? ''] ?? 'UNK'
