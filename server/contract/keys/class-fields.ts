/** Fields by data class in the schemas of answers: said with the field, which a narrowed key may find absent. */
import type { z } from 'zod'
import { summarySchema } from '../mcp/records.ts'
import { patientSchema } from '../rest/records.ts'
import { patientFieldClass, summarySectionClass } from './class-coverage.ts'
import { type DataClass, dataClasses } from './data-classes.ts'

export const summaryFieldClass = {
  name: 'demographics',
  birthDate: 'demographics',
  sex: 'demographics',
  deceased: 'demographics',
  ...summarySectionClass,
} as const satisfies Record<string, DataClass>

const fieldClasses: ReadonlyMap<unknown, Readonly<Record<string, DataClass>>> = new Map<unknown, never>([
  [patientSchema, patientFieldClass as never],
  [summarySchema, summaryFieldClass as never],
])

/** For `override` of Zod's JSON Schema. */
export function describeClasses({
  zodSchema,
  jsonSchema,
}: Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]): void {
  const classes = fieldClasses.get(zodSchema)
  if (classes === undefined) return
  for (const [field, dataClass] of Object.entries(classes)) {
    const property = jsonSchema.properties?.[field]
    if (typeof property === 'object') Object.assign(property, { 'x-data-class': dataClass })
  }
  jsonSchema.required = jsonSchema.required?.filter((field) => !(field in classes))
  jsonSchema.description =
    `${jsonSchema.description ?? ''} Fields of a data class that the key can’t read are absent.`.trim()
}

export function describeNeed(need: Readonly<{ any: readonly DataClass[] } | { all: readonly DataClass[] }>) {
  const [names, word] = 'any' in need ? [need.any, ' or '] : [need.all, ' and ']
  const listed = names.map((each) => `\`${each}\` (${dataClasses[each].toLowerCase()})`).join(word)
  return `Needs the data class ${listed}.`
}
