import type { FieldChange } from '../../../server/contract/workflows/registration-form.ts'
import type { ReviewView } from '../../../server/domain/registrations/read-review.ts'
import { Cell, DataTable, Row } from '../../components/ui/list.tsx'
import { Card, Moment } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'

/** The fields that differ from the version that reviewers saw before or, for a change, from production. */
export function Differences({ view: { comparedWith, changes, fieldsCompared } }: { view: ReviewView }) {
  if (comparedWith === null)
    return (
      <Card padded id="differences" title="Differences">
        <p className="muted">This is the first version we received, so there is nothing to compare.</p>
      </Card>
    )
  return (
    <Card id="differences" title="Differences">
      <p className="pad">
        Compared with{' '}
        {comparedWith.kind === 'serving' ? 'the version in production' : 'the version at our last questions'},
        number {comparedWith.number}
        {comparedWith.at && (
          <>
            , submitted <Moment at={comparedWith.at} />
          </>
        )}
        .{' '}
        {changes.length === 0
          ? 'Nothing has changed.'
          : `${counted(changes.length, 'field')} changed, ${fieldsCompared - changes.length} unchanged.`}
      </p>
      {changes.length > 0 && (
        <DataTable label="Changed fields" heads={['Field', 'Before', 'Now']}>
          {changes.map((change) => (
            <Row key={change.field}>
              <Cell>
                <b>{change.label}</b>
              </Cell>
              <Cell label="Before">
                <Text
                  text={change.before}
                  others={partsOf(change, change.after)}
                  change={change}
                  look="gone"
                />
              </Cell>
              <Cell label="Now">
                <Text
                  text={change.after}
                  others={partsOf(change, change.before)}
                  change={change}
                  look="new"
                />
              </Cell>
            </Row>
          ))}
        </DataTable>
      )}
    </Card>
  )
}

interface TextProps {
  text: string
  /** The parts on the other side. Parts on both sides have not changed. */
  others: readonly string[]
  change: FieldChange
  look: 'gone' | 'new'
}

function Text({ text, others, change, look }: TextProps) {
  if (text === '') return <span className="muted">Empty</span>
  return (
    <ul className="plain stack hair breaks">
      {partsOf(change, text).map((part) => (
        <li key={part}>
          {others.includes(part) ? part : look === 'gone' ? <del>{part}</del> : <ins>{part}</ins>}
        </li>
      ))}
    </ul>
  )
}

/** Splits scopes and redirect URIs. Any other text is one part. */
function partsOf({ field }: FieldChange, text: string): readonly string[] {
  if (field === 'scope') return text.split(' ')
  return field === 'redirectUris' ? text.split('\n') : [text]
}
