/** The classes of data and purposes of a production key. */
import { dataClasses, isDataClass } from '../../../server/contract/keys/data-classes.ts'

/** Keys from before data classes name none and read the whole record. */
export const dataClassLabels = (classes: readonly string[]) =>
  classes.length === 0
    ? 'Everything in the record'
    : classes.map((each) => (isDataClass(each) ? dataClasses[each] : each)).join('; ')

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
