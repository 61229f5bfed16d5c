/** Words for a key's level and environment, and its prefix, the same on every page. */
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

/** Names a key's data classes. A key that is older than data classes has none and reads the whole record. */
export const dataClassLabels = (classes: readonly string[]) =>
  classes.length === 0
    ? 'Everything in the record'
    : classes.map((name) => (isDataClass(name) ? dataClasses[name] : name)).join('; ')

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
