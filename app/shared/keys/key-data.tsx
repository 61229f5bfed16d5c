/** The classes of data and purposes of a production key. */
import { dataClasses, isDataClass } from '../../../server/contract/keys/data-classes.ts'

export function KeyData({
  of: { dataClasses: classes, purposes },
}: {
  of: { dataClasses: readonly string[]; purposes: readonly string[] }
}) {
  return (
    <>
      <span className="sub">
        Data: {classes.map((each) => (isDataClass(each) ? dataClasses[each] : each)).join('; ')}
      </span>
      <span className="sub">Purposes: {purposes.join(', ').replaceAll('_', ' ')}</span>
    </>
  )
}
