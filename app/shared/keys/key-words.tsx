/** Words for what a key is, and how it is written; the same everywhere. */
import { dataClasses, isDataClass } from '../../../server/contract/keys/data-classes.ts'

export const levelNames = { read_only: 'read-only', full: 'full' } as const
export const levelWords = { read_only: 'Read-only', full: 'Read and write (full)' } as const
export const environmentNames = { sandbox: 'Sandbox', production: 'Production' } as const

/** `Sandbox, read-only` */
export function reachOf(key: {
  environment: keyof typeof environmentNames
  level: keyof typeof levelNames
}): string {
  return `${environmentNames[key.environment]}, ${levelNames[key.level]}`
}

/** A key by its first twelve characters, never more. */
export function KeyPrefix({ prefix }: { prefix: string }) {
  return (
    <span className="key-id">
      <span className="live">{prefix}</span>
      <i>…</i>
    </span>
  )
}

/** Keys from before data classes name none and read the whole record. */
export const dataClassLabels = (classes: readonly string[]) =>
  classes.length === 0
    ? 'Everything in the record'
    : classes.map((each) => (isDataClass(each) ? dataClasses[each] : each)).join('; ')

/** The classes of data and purposes of a production key. */
export function KeyData({
  of: { dataClasses: classes, purposes },
}: {
  of: { dataClasses: readonly string[]; purposes: readonly string[] }
}) {
  return (
    <>
      <span className="sub">Data: {dataClassLabels(classes)}</span>
      <span className="sub">Purposes: {purposes.join(', ').replaceAll('_', ' ') || 'any'}</span>
    </>
  )
}
