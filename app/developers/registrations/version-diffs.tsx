import type { FieldChange } from '../../../server/contract/workflows/registration-form.ts'
import { Card } from '../../components/ui/card.tsx'
import { Moment } from '../../components/ui/moment.tsx'

interface VersionDiffsProps {
  diffs: readonly { number: number; at: Date | string; changes: readonly FieldChange[] }[]
}

/** Field by field, what was and what is. */
export function FieldChanges({ changes }: { changes: readonly FieldChange[] }) {
  return (
    <dl className="facts wide mt-3">
      {changes.map(({ field, label, before, after }) => (
        <div key={field} className="contents">
          <dt>{label}</dt>
          <dd className="breaks">
            <del>{before || 'nothing'}</del> <ins>{after || 'nothing'}</ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What changed from one submitted version to the next. */
export function VersionDiffs({ diffs }: VersionDiffsProps) {
  if (diffs.length === 0) return null
  return (
    <Card id="versions" title="What changed between versions">
      <div className="pad stack">
        {diffs.map(({ number, at, changes }) => (
          <details key={number}>
            <summary>
              Version {number}, <Moment at={at} />:{' '}
              {changes.length === 0 ? 'nothing' : changes.map(({ label }) => label).join(', ')}
            </summary>
            <FieldChanges changes={changes} />
          </details>
        ))}
      </div>
    </Card>
  )
}
