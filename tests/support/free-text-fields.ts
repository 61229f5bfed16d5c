/** The fields of the contract's forms that take any text, found by giving each a sentence. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Fits the length of every field for prose. */
export const plantedText = 'Our client secret is Kx7pQ9vTz2Lm4: these are words for a field of a form.'

const contract = join(import.meta.dirname, '../../server/contract')
export const formModules =
  /^(?:forms\/(?!step-forms)[a-z-]+|lab\/open-launch|portal\/(?:access-use|ops-actions)|status\/(?:incidents|subscriptions)|workflows\/(?:agreements|registration-form|security-questions))\.ts$/

/** `export.field`, or `export.form.field` where forms stand together by intent; lists of objects by their member. */
export async function findFreeTextFields(): Promise<string[]> {
  const found = new Set<string>()
  for (const file of readdirSync(contract, { recursive: true, encoding: 'utf8' }).filter((name) =>
    formModules.test(name),
  )) {
    const exported: Record<string, unknown> = await import(join(contract, file))
    for (const [name, value] of Object.entries(exported)) collect(value, name, found)
  }
  return [...found].sort()
}

function collect(value: unknown, path: string, found: Set<string>): void {
  if (value instanceof z.ZodType) collectSchema(value, path, found)
  else if (typeof value === 'object' && value !== null && !Array.isArray(value))
    for (const [name, each] of Object.entries(value))
      if (each instanceof z.ZodType) collectSchema(each, `${path}.${name}`, found)
}

function collectSchema(schema: z.ZodType, path: string, found: Set<string>): void {
  if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape)) collectSchema(field, `${path}.${name}`, found)
  else if (schema instanceof z.ZodDiscriminatedUnion)
    for (const option of schema.options) {
      const [tag] = (option as z.ZodObject).shape[schema.def.discriminator].values
      collectSchema(option as z.ZodType, `${path}.${tag}`, found)
    }
  else if (schema instanceof z.ZodArray) collectSchema(schema.element as z.ZodType, path, found)
  else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable
  )
    collectSchema(schema.unwrap() as z.ZodType, path, found)
  else if (takesText(schema)) found.add(path)
}

function takesText(schema: z.ZodType): boolean {
  const read = schema.safeParse(plantedText)
  return read.success && String(JSON.stringify(read.data)).includes('Kx7pQ9vTz2Lm4')
}

/** Fields that take any text and are not warned about, each with why. */
export const exempt: readonly (readonly [RegExp, string])[] = [
  [/[pP]assword$/, 'a password, stored as a hash'],
  [/^assertionForm\./, 'looked at, never stored'],
  [/^activityFilter\./, 'a filter of a list'],
  [/^faultSwitchForm\.target$|^launchForm\./, 'names a key, an app or a record of a sandbox'],
  [/^appTokenForm\./, 'names people of a sandbox, and scopes of the app'],
  [/^openLaunchForm\./, 'addresses, scopes and people of a sandbox: a grammar or a list for each'],
  [/^keyDraftForm\.organization$/, 'names an organization'],
  [
    /^opsActForm\.(id|name|slug|environment|email|role)$/,
    'checked by the form of its act, names by the rule for names',
  ],
  [/^stopForms\.stop\.target$/, 'names a key, an app or an organization'],
  [/^stopForms\.stopEverything\.confirmName$/, 'compared with the name of the practice, never stored'],
  [/\.(codes|checked)$|\.items\.code$/, 'compared with a list'],
  [/^(legalParty|securityProfile|usageFields)\./, 'reads what profileForm has checked'],
  [/^typedParty\./, 'part of profileForm and sponsorForms.confirm'],
  [/^newAppFields\./, 'looked at while it is typed, never stored'],
  [
    /^registrationForm\.(jwks|scope)$|^newAppForm\.keys$/,
    'public keys and scopes: a grammar of their own, secrets are refused',
  ],
  [/^systemRequestForm\.scope$/, 'parsed as scopes'],
  [/(^|\.)revoke(KeyForm)?\.reason$/, 'a revocation never waits: the reason is left out (below)'],
]

export const isExempt = (field: string) => exempt.some(([pattern]) => pattern.test(field))
