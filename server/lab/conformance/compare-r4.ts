/** A resource beside what FHIR R4 says of its type: what is unknown there, what is missing, what is of another type. */
import type { Difference } from '../../contract/rest/schema-comparison.ts'
import { type Element, elementsOf, isPrimitive } from './r4-elements.ts'

interface R4Comparison {
  /** Values that are as R4 says. */
  readonly matched: number
  readonly differences: readonly Difference[]
}

type Json = Readonly<Record<string, unknown>>

/** No record of ours comes near it. */
const depthMax = 60

/**
 * @param at what paths begin with: `Patient/x`
 * @param skip a resource within it that is looked at by itself
 */
export function compareWithR4(
  resource: Json,
  at: string,
  skip: (value: unknown) => boolean = () => false,
): R4Comparison {
  const differences: Difference[] = []
  let matched = 0
  let depth = 0

  function walkResource(value: unknown, path: string): void {
    if (skip(value)) return
    const type = isObject(value) ? value.resourceType : undefined
    if (!isObject(value) || typeof type !== 'string') {
      say('different', path, 'a resource is expected.')
      return
    }
    const elements = elementsOf(type)
    // A type that is none of ours: nothing is known of it here.
    if (elements === null) return
    matched += 1
    walkObject(value, elements, path, new Set(['resourceType']))
  }

  function walkObject(
    value: Json,
    elements: ReadonlyMap<string, Element>,
    path: string,
    known: ReadonlySet<string> = new Set(),
  ): void {
    if (depth === depthMax) {
      say('different', path, 'deeper than is looked into here.')
      return
    }
    depth += 1
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
    depth -= 1
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
    else matched += 1
  }

  function say(kind: Difference['kind'], path: string, message: string): void {
    differences.push({ kind, path, message })
  }

  walkResource(resource, at)
  return { matched, differences }
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
