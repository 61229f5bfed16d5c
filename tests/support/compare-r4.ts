/** A resource beside what FHIR R4 says of its type: what is unknown there, what is missing, what is of another type. */
import { readElements, servedTypes } from './r4-elements.mjs'

export interface Difference {
  /** `extra`: in the resource, not in FHIR. */
  readonly kind: 'missing' | 'extra' | 'different'
  /** `Patient/x.name[0].family` */
  readonly path: string
  readonly message: string
}

type Json = Readonly<Record<string, unknown>>

/** @param at what paths begin with: `Patient/x` */
export function compareWithR4(resource: Json, at: string): Difference[] {
  const differences: Difference[] = []

  function walkResource(value: unknown, path: string): void {
    const type = isObject(value) ? value.resourceType : undefined
    if (!isObject(value) || typeof type !== 'string') {
      say('different', path, 'a resource is expected.')
      return
    }
    const elements = elementsOf(type)
    // A type that is none of ours: nothing is known of it here.
    if (elements === null) return
    walkObject(value, elements, path, new Set(['resourceType']))
  }

  function walkObject(
    value: Json,
    elements: ReadonlyMap<string, Element>,
    path: string,
    known: ReadonlySet<string> = new Set(),
  ): void {
    const chosen = new Set<string>()
    for (const [name, child] of Object.entries(value)) {
      if (known.has(name)) continue
      const element = elements.get(name)
      const choice = element?.choice
      if (choice && chosen.has(choice))
        say('different', `${path}.${name}`, `only one of ${choice}[x] is expected.`)
      else if (element) walkElement(child, element, `${path}.${name}`)
      else if (!isBesidePrimitive(name, elements)) say('extra', `${path}.${name}`, 'Not in FHIR R4.')
      if (choice) chosen.add(choice)
    }
    for (const [name, { required }] of elements)
      if (required && value[name] === undefined && value[`_${name}`] === undefined)
        say('missing', `${path}.${name}`, 'FHIR R4 requires it.')
  }

  function walkElement(value: unknown, { type, list }: Element, path: string): void {
    if (list !== Array.isArray(value))
      say('different', path, list ? 'a list is expected.' : 'one value is expected, not a list.')
    else if (Array.isArray(value)) walkList(value, type, path)
    else walkValue(value, type, path)
  }

  function walkList(values: readonly unknown[], type: string, path: string): void {
    if (values.length === 0) say('different', path, 'a list is never empty.')
    values.forEach((each, place) => {
      // In a list of primitives null stands where there is nothing but extensions.
      if (each !== null || !isPrimitiveType(type)) walkValue(each, type, `${path}[${place}]`)
    })
  }

  function walkValue(value: unknown, type: string, path: string): void {
    if (type === 'Resource') {
      walkResource(value, path)
      return
    }
    const elements = elementsOf(type)
    if (isPrimitiveType(type) ? !isPrimitive(type, value) : !isObject(value))
      say('different', path, `${type} is expected.`)
    else if (isObject(value)) walkObject(value, elements ?? new Map(), path)
  }

  function say(kind: Difference['kind'], path: string, message: string): void {
    differences.push({ kind, path, message })
  }

  walkResource(resource, at)
  return differences
}

const isPrimitiveType = (type: string) => /^[a-z]/.test(type)

/** `_birthDate` holds the id and the extensions of `birthDate`. https://hl7.org/fhir/R4/json.html#primitive */
function isBesidePrimitive(name: string, elements: ReadonlyMap<string, Element>): boolean {
  const element = name.startsWith('_') ? elements.get(name.slice(1)) : undefined
  return element !== undefined && isPrimitiveType(element.type)
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** https://hl7.org/fhir/R4/resourcelist.html */
interface Element {
  /** A type of the table, `Resource` for any resource, or a primitive in small letters. */
  readonly type: string
  readonly list: boolean
  readonly required: boolean
  /** `value` of `valueString`, where there are others to choose; null: it is no choice. */
  readonly choice: string | null
}

const table = readElements(servedTypes())
const types = new Map(Object.keys(table).map((type) => [type, new Map(elementsIn(type))] as const))

/** By name, those of what the type extends included; null for a type that is not in the table. */
function elementsOf(type: string): ReadonlyMap<string, Element> | null {
  return types.get(type) ?? null
}

function elementsIn(type: string): [string, Element][] {
  const { base = null, elements: own = {} } = table[type] ?? {}
  const stems = Object.entries(own).map(([name, element]) => stemOf(name, element.type))
  const elements = Object.entries(own).map(([name, element]): [string, Element] => {
    const stem = stemOf(name, element.type)
    const choice = stem !== null && stems.filter((each) => each === stem).length > 1 ? stem : null
    return [name, { ...element, choice }]
  })
  return [...(base === null ? [] : elementsIn(base)), ...elements]
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
function isPrimitive(type: string, value: unknown): boolean {
  return (primitives[type] ?? matches(/./s))(value)
}
