/** What a key may read, and for which purposes, where its agreement or the practice narrowed it. */
import { isPurpose, type Purpose, purposeDefault } from '../rest/purposes.ts'
import type { ClassNeed } from './class-coverage.ts'
import { type DataClass, dataClasses, isDataClass } from './data-classes.ts'

export type KeyAccess = Readonly<{
  classes: readonly DataClass[]
  purposes: readonly Purpose[]
}>

/** As a row has it. Names that this release doesn't know give nothing. */
export function toKeyAccess(row: { dataClasses: readonly string[]; purposes: readonly string[] }): KeyAccess {
  return { classes: row.dataClasses.filter(isDataClass), purposes: row.purposes.filter(isPurpose) }
}

/** @param access null: of a key that is not narrowed */
export const mayRead = (access: KeyAccess | null, dataClass: DataClass): boolean =>
  access === null || access.classes.includes(dataClass)

/** What is missing for an operation or tool: all of its classes where one would do; empty when nothing is. */
export function missingClasses(access: KeyAccess | null, need: ClassNeed | null): readonly DataClass[] {
  if (need === null) return []
  if ('all' in need) return need.all.filter((each) => !mayRead(access, each))
  return need.any.some((each) => mayRead(access, each)) ? [] : need.any
}

/** Names the classes, and says nothing of what is there. */
export function classRefusal(missing: readonly DataClass[], type: 'conjunction' | 'disjunction'): string {
  const names = missing.map((each) => `${dataClasses[each].toLowerCase()} (${each})`)
  const listed = new Intl.ListFormat('en', { type, style: 'long' }).format(names)
  return `This key is not allowed to read ${listed}. Ask the practice to allow it.`
}

/**
 * The purpose of a request without `X-Purpose`: `operations`, or the only one that the key has.
 * @returns null when the caller must name one
 */
export function impliedPurpose(access: KeyAccess | null): Purpose | null {
  if (access === null || access.purposes.includes(purposeDefault)) return purposeDefault
  const [only, ...more] = access.purposes
  return more.length === 0 ? (only ?? null) : null
}

/** @param purpose null when none was named */
export function purposeRefusal({ purposes }: KeyAccess, purpose: Purpose | null): string {
  const listed = purposes.length === 0 ? 'none' : purposes.join(', ')
  return purpose === null
    ? `Send X-Purpose. Purposes this key is allowed: ${listed}.`
    : `This key is not allowed the purpose ${purpose}. Allowed: ${listed}.`
}
