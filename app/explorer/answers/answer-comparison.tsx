import type { ReactNode } from 'react'
import type { Comparison, Difference } from '../../../server/contract/rest/schema-comparison.ts'
import type { FhirComparison, ProfileCount } from '../../../server/lab/conformance/compare-fhir.ts'
import { CircleCheck, Minus, Plus, TriangleAlert } from '../../components/ui/icons.ts'
import { counted } from '../../lib/dates.ts'

const icons = { extra: Plus, missing: Minus, different: TriangleAlert } as const

/** What stays in view; the others are folded. */
const shownFirst = 4

interface ComparisonProps {
  /** Null for what could not be compared: nothing is said then. */
  comparison: Comparison | null
  /** What publishes how an answer looks: “openapi.json”. */
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

function ComparisonCard({ title, note, children }: { title: string; note: string; children: ReactNode }) {
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

function Findings({ differences, against, ok }: FindingsProps) {
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

const fhirRules = 'FHIR R4 and US Core 6.1.0'

/** Every resource of the answer beside what R4 and its profile say. */
export function FhirComparisonCard({ comparison }: { comparison: FhirComparison | null }) {
  if (comparison === null) return null
  const { resources, asSaid, matched, differences, profiles } = comparison
  return (
    <ComparisonCard title={`Compared with ${fhirRules}`} note={`${counted(matched, 'value')} match R4`}>
      {asSaid < resources && (
        <p className="small ex-list">
          {asSaid} of {counted(resources, 'resource')} match FHIR R4 and US Core.
        </p>
      )}
      <Findings
        differences={differences}
        against="FHIR R4"
        ok={`${counted(resources, 'resource')} match FHIR R4 and US Core: nothing is missing or extra, and every type matches.`}
      />
      {profiles.length > 0 && (
        <details className="ex-fold ex-list">
          <summary>Must-support elements of {counted(profiles.length, 'profile')}</summary>
          <p className="small muted">
            A server must send these if it has a value. They can be absent if there is none.
          </p>
          <dl className="facts small">
            {profiles.map((each) => (
              <Profile key={each.profile} of={each} />
            ))}
          </dl>
        </details>
      )}
    </ComparisonCard>
  )
}

function Profile({ of: { profile, resources, elements } }: { of: ProfileCount }) {
  const some = elements.filter(({ present }) => present > 0 && present < resources)
  const none = elements.filter(({ present }) => present === 0)
  // What is absent is absent with everything in it.
  const named = none.filter(({ name }) => !none.some((other) => isWithin(name, other.name)))
  return (
    <>
      <dt className="breaks">{profile}</dt>
      <dd>
        {elements.length - some.length - none.length} of {counted(elements.length, 'element')} in{' '}
        {resources === 1 ? 'the resource' : `all ${resources.toLocaleString('en-US')} resources`}.
        {some.length > 0 && (
          <>
            {' '}
            Present in some: <Names of={some.map(({ name, present }) => `${name} (${present})`)} />.
          </>
        )}
        {none.length > 0 && (
          <>
            {' '}
            Absent: <Names of={named.map(({ name }) => name)} />.
          </>
        )}
      </dd>
    </>
  )
}

function isWithin(name: string, other: string): boolean {
  return name.startsWith(`${other}.`) || name.startsWith(`${other}:`)
}

function Names({ of }: { of: readonly string[] }) {
  return of.map((name, place) => (
    <span key={name}>
      {place > 0 && ', '}
      <code className="breaks">{name}</code>
    </span>
  ))
}
