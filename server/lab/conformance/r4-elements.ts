/**
 * What FHIR R4 says of the elements of the types we serve. Written by scripts/conformance/r4-elements.mjs.
 * https://hl7.org/fhir/R4/resourcelist.html
 */
import table from './r4-elements.json' with { type: 'json' }

export interface Element {
  /** A type of the table, `Resource` for any resource, or a primitive in small letters. */
  readonly type: string
  readonly list: boolean
  readonly required: boolean
  /** `value` of `valueString`, where there are others to choose; null: it is no choice. */
  readonly choice: string | null
}

const types = new Map(Object.keys(table as Table).map((type) => [type, new Map(read(type))] as const))

/** By name, those of what the type extends included; null for a type that is not in the table. */
export function elementsOf(type: string): ReadonlyMap<string, Element> | null {
  return types.get(type) ?? null
}

type Table = Readonly<Record<string, Readonly<Record<string, string>>>>

function read(type: string): [string, Element][] {
  const { '': base, ...own } = (table as Table)[type] ?? {}
  const stems = Object.entries(own).map(([name, said]) => stemOf(name, said))
  const elements = Object.entries(own).map(([name, said]): [string, Element] => {
    const [, required, list, of = ''] = /^(!?)(\*?)(.+)$/.exec(said) ?? []
    const stem = stemOf(name, said)
    const choice = stem !== null && stems.filter((each) => each === stem).length > 1 ? stem : null
    return [name, { type: of, list: list === '*', required: required === '!', choice }]
  })
  return [...(base === undefined ? [] : read(base)), ...elements]
}

/** A name that ends with its own type may be one of several. https://hl7.org/fhir/R4/formats.html#choice */
function stemOf(name: string, type: string): string | null {
  const end = type.charAt(0).toUpperCase() + type.slice(1)
  return name.endsWith(end) && name !== end ? name.slice(0, -end.length) : null
}

const isDay = '([1-9]\\d{3}|0\\d{3})(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\\d|3[01]))?)?'
const dayTime = '([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?'
const zone = '(Z|[+-]((0\\d|1[0-3]):[0-5]\\d|14:00))'
const day = new RegExp(`^${isDay}$`)
const moment = new RegExp(`^${isDay}(T${dayTime}${zone})?$`)
const instant = new RegExp(`^\\d{4}-\\d{2}-\\d{2}T${dayTime}${zone}$`)
const time = new RegExp(`^${dayTime}$`)
const number = { integer: /^-?\d+$/, unsignedInt: /^\d+$/, positiveInt: /^[1-9]\d*$/ }
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const whole = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'number' && pattern.test(String(value))

/** Whether a value is one of a primitive type. https://hl7.org/fhir/R4/datatypes.html#primitive */
const primitives: Readonly<Record<string, (value: unknown) => boolean>> = {
  boolean: (value) => typeof value === 'boolean',
  decimal: (value) => typeof value === 'number',
  integer: whole(number.integer),
  unsignedInt: whole(number.unsignedInt),
  positiveInt: whole(number.positiveInt),
  date: matches(day),
  dateTime: matches(moment),
  instant: matches(instant),
  time: matches(time),
  code: matches(/^[^\s]+( [^\s]+)*$/),
  id: matches(/^[A-Za-z0-9.-]{1,64}$/),
  uri: matches(/^\S*$/),
  url: matches(/^\S*$/),
  canonical: matches(/^\S*$/),
  oid: matches(/^urn:oid:[0-2](\.(0|[1-9]\d*))+$/),
  uuid: matches(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
}

/** Of every other primitive: any text that is not empty. */
export function isPrimitive(type: string, value: unknown): boolean {
  return (primitives[type] ?? matches(/./s))(value)
}
