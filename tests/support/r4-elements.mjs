/**
 * What FHIR R4 says of the elements of our types: which there are, of what type, which are lists and which are
 * required. Read from two packages that are made from the definitions of HL7: the declarations of @types/fhir (which
 * elements, lists, required) and the model of fhirpath (types of primitives).
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A line of an interface: name, whether it may be left out, its type. */
const memberLine = /^ {2}(?:readonly )?(\w+)(\?)?: (.+);$/
const interfaceLine = /^export interface (\w+)(?:<[^>]*>)?(?: extends (\w+)(?:<[^>]*>)?)? \{$/
/** Names of the declarations for what may be any resource. */
const anyResource = new Set(['FhirResource', 'T', 'Resource'])

/**
 * By type, the type that it extends and what is directly below it.
 * @param {readonly string[]} roots types of resources; what they are made of comes with them
 * @returns {Record<string, { base: string | null, elements: Record<string, { type: string, list: boolean, required: boolean }> }>}
 */
export function readElements(roots) {
  const declared = readDeclarations()
  const primitiveOf = createPrimitives()
  /** @type {ReturnType<typeof readElements>} */
  const found = {}
  const open = [...roots]
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    const row = declared.get(type)
    if (found[type] || !row) continue
    const elements = row.members.map(({ name, type: of, ...element }) => {
      if (of) open.push(of)
      return [name, { ...element, type: of ?? primitiveOf(type, name) }]
    })
    found[type] = { base: row.base, elements: Object.fromEntries(elements) }
    if (row.base !== null) open.push(row.base)
  }
  return found
}

function readDeclarations() {
  const text = readFileSync(require.resolve('@types/fhir/r4.d.ts'), 'utf8')
  /** @type {Map<string, { base: string | null, members: { name: string, required: boolean, list: boolean, type: string | null }[] }>} */
  const declared = new Map()
  /** @type {ReturnType<typeof declared.get> | null} */
  let current = null
  for (const line of text.split('\n')) {
    const [, name, base = null] = interfaceLine.exec(line) ?? []
    if (name) {
      current = { base, members: [] }
      declared.set(name, current)
      continue
    }
    const [, member, optional, type = ''] = memberLine.exec(line) ?? []
    // What begins with an underscore is the extensions of a primitive, allowed beside each of them.
    if (!current || !member || member.startsWith('_') || member === 'resourceType') continue
    current.members.push({ name: member, required: optional === undefined, ...readType(type) })
  }
  return declared
}

/**
 * `type`: null for a primitive.
 * @param {string} text
 */
function readType(text) {
  const plain = text.replace(/ \| undefined$/, '')
  const list = /\[\]$/.test(plain)
  const of = plain.replace(/\[\]$/, '').replace(/<.*>$/, '')
  if (anyResource.has(of)) return { list, type: 'Resource' }
  return { list, type: /^[A-Z]\w*$/.test(of) ? of : null }
}

/**
 * The kind of a primitive, by the type that holds it. Choices are told by the end of their names.
 * @returns {(type: string, name: string) => string}
 */
function createPrimitives() {
  const { path2Type, type2Parent } = require('fhirpath/fhir-context/r4')
  const primitives = Object.entries(type2Parent)
    .filter(([type]) => /^[a-z]/.test(type))
    .map(([type]) => type)
  const known = [
    ...new Set([
      ...primitives,
      'boolean',
      'integer',
      'string',
      'decimal',
      'date',
      'dateTime',
      'time',
      'instant',
      'uri',
      'base64Binary',
    ]),
  ]
  const paths = new Map(
    Object.entries(path2Type)
      .filter(([, type]) => type === 'BackboneElement' || type === 'Element')
      .map(([path]) => [
        path
          .split('.')
          .map((part) => part[0]?.toUpperCase() + part.slice(1))
          .join(''),
        path,
      ]),
  )
  return (type, name) => {
    const said = path2Type[`${paths.get(type) ?? type}.${name}`]
    if (said) return said.startsWith('System.') ? said.slice(7).toLowerCase() : said
    const chosen = known
      .filter((each) => name.endsWith(each.charAt(0).toUpperCase() + each.slice(1)))
      .sort((one, other) => other.length - one.length)[0]
    return chosen ?? 'string'
  }
}

/**
 * The types that the interface serves, and the two that it answers with.
 * @returns {string[]}
 */
export function servedTypes() {
  const source = readFileSync(new URL('../../server/contract/fhir/numbers.ts', import.meta.url), 'utf8')
  const [, numbers = ''] = /fhirTypeNumbers = \{([^}]*)\}/.exec(source) ?? []
  return [...[...numbers.matchAll(/(\w+): \d+/g)].map(([, type = '']) => type), 'Bundle', 'OperationOutcome']
}
