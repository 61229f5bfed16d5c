import { CircleCheck, Minus, Plus, TriangleAlert } from 'lucide-react'
import type { Comparison, Difference } from '../../../server/contract/schema-comparison.ts'
import { counted } from '../../dates.ts'

const icons = { extra: Plus, missing: Minus, different: TriangleAlert } as const

/** How the answer differs from what the OpenAPI document says of it. */
export function AnswerComparison({ comparison }: { comparison: Comparison | null }) {
  if (comparison === null) return null
  const { matched, differences } = comparison
  return (
    <section className="card" aria-labelledby="ex-contract">
      <div className="head ex-head">
        <h3 id="ex-contract">Against the document</h3>
        <span className="small muted">{counted(matched, 'value')} as it says</span>
      </div>
      <ul className="list ex-list">
        {differences.map((difference) => (
          <Finding key={`${difference.kind} ${difference.path}`} difference={difference} />
        ))}
        {differences.length === 0 && (
          <li className="finding ok">
            <CircleCheck className="i" />
            <p className="small">Nothing is missing, nothing is more, and every type fits.</p>
          </li>
        )}
      </ul>
    </section>
  )
}

function Finding({ difference: { kind, path, message } }: { difference: Difference }) {
  const Icon = icons[kind]
  return (
    <li className={kind === 'extra' ? 'finding teal' : 'finding bad'}>
      <Icon className="i" />
      <p className="small">
        <code>{path || 'The whole answer'}</code>{' '}
        {kind === 'extra'
          ? 'is not in the document. Do not build on it yet.'
          : kind === 'missing'
            ? `is missing: ${message}`
            : `is not as the document says: ${message}`}
      </p>
    </li>
  )
}
