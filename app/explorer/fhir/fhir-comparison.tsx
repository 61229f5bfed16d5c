import type { FhirComparison, ProfileCount } from '../../../server/lab/conformance/compare-fhir.ts'
import { counted } from '../../lib/dates.ts'
import { ComparisonCard, Findings } from '../answers/answer-comparison.tsx'

const against = 'FHIR R4 and US Core 6.1.0'

/** Every resource of the answer beside what R4 and its profile say. */
export function FhirComparisonCard({ comparison }: { comparison: FhirComparison | null }) {
  if (comparison === null) return null
  const { resources, asSaid, matched, differences, profiles } = comparison
  return (
    <ComparisonCard title={`Compared with ${against}`} note={`${counted(matched, 'value')} match R4`}>
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
