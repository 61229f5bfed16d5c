/** The classes of data and purposes of a production key, and that the API does not limit the key to them. */
import { dataClasses, isDataClass, notEnforced } from '../../../server/contract/keys/data-classes.ts'

export function KeyData({
  of: { dataClasses: classes, purposes },
}: {
  of: { dataClasses: readonly string[]; purposes: readonly string[] }
}) {
  return (
    <>
      <span className="sub">
        Agreed data: {classes.map((each) => (isDataClass(each) ? dataClasses[each] : each)).join('; ')}
      </span>
      <span className="sub">Agreed purposes: {purposes.join(', ').replaceAll('_', ' ')}</span>
      <span className="sub">{notEnforced}</span>
    </>
  )
}
