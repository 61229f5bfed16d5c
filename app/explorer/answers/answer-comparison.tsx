import type { ReactNode } from 'react'
import type { Comparison, Difference } from '../../../server/contract/rest/schema-comparison.ts'
import { CircleCheck, Minus, Plus, TriangleAlert } from '../../components/ui/icons.ts'
import { counted } from '../../lib/dates.ts'

const icons = { extra: Plus, missing: Minus, different: TriangleAlert } as const

/** What stays in view; the others are folded. */
const shownFirst = 4

interface ComparisonProps {
  /** Null for what could not be compared: nothing is said then. */
  comparison: Comparison | null
  /** What publishes how an answer looks: “the document”. */
  against: string
}

/** How the answer differs from what its interface publishes of it. */
export function AnswerComparison({ comparison, against }: ComparisonProps) {
  if (comparison === null) return null
  return (
    <ComparisonCard
      title={`Compared with ${against}`}
      note={`${counted(comparison.matched, 'value')} match the schema`}
    >
      <Findings
        differences={comparison.differences}
        against={against}
        ok="Nothing is missing or extra, and every type matches."
      />
    </ComparisonCard>
  )
}

export function ComparisonCard({
  title,
  note,
  children,
}: {
  title: string
  note: string
  children: ReactNode
}) {
  return (
    <section className="card" aria-labelledby="ex-contract">
      <div className="head ex-head">
        <h3 id="ex-contract">{title}</h3>
        <span className="small muted">{note}</span>
      </div>
      {children}
    </section>
  )
}

interface FindingsProps {
  differences: readonly Difference[]
  against: string
  /** Said where there is none. */
  ok: string
}

export function Findings({ differences, against, ok }: FindingsProps) {
  const folded = differences.slice(shownFirst)
  const list = (of: readonly Difference[]) =>
    of.map((difference) => (
      <Finding
        key={`${difference.kind} ${difference.path} ${difference.message}`}
        difference={difference}
        against={against}
      />
    ))
  return (
    <>
      <ul className="list ex-list">
        {list(differences.slice(0, shownFirst))}
        {differences.length === 0 && (
          <li className="finding ok">
            <CircleCheck className="i" />
            <p className="small">{ok}</p>
          </li>
        )}
      </ul>
      {folded.length > 0 && (
        <details className="ex-fold ex-list">
          <summary>{counted(folded.length, 'other difference')}</summary>
          <ul className="list">{list(folded)}</ul>
        </details>
      )}
    </>
  )
}

function Finding({
  difference: { kind, path, message },
  against,
}: {
  difference: Difference
  against: string
}) {
  const Icon = icons[kind]
  return (
    <li className={kind === 'extra' ? 'finding teal' : 'finding bad'}>
      <Icon className="i" />
      <p className="small">
        <code className="breaks">{path || 'The whole response'}</code>{' '}
        {kind === 'extra'
          ? `is not in ${against}. Don’t rely on it yet.`
          : kind === 'missing'
            ? `is missing: ${message}`
            : `differs from ${against}: ${message}`}
      </p>
    </li>
  )
}
