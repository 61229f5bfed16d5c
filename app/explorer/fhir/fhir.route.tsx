import type { MetaFunction } from '@remix-run/react'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { longDeadlineMs, page } from '../../services.server.ts'
import { ExplorerNav } from '../explorer-nav.tsx'
import { FhirAnswer } from './fhir-answer.tsx'
import { loadBuilder, runBuilder } from './fhir-builder.server.ts'
import { FhirForm } from './fhir-form.tsx'
import { FhirOperations } from './fhir-operations.tsx'
import { FhirSetup } from './fhir-setup.tsx'

export const meta: MetaFunction = () => [{ title: 'FHIR builder · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => loadBuilder(args))

export const action = page(
  async (args: ActionFunctionArgs) => {
    const outcome = await runBuilder(args)
    return outcome.kind === 'refused' ? data(outcome, { status: 400 }) : outcome
  },
  { withinMs: longDeadlineMs },
)

export default function FhirBuilder() {
  const loaded = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const { practices, practice, as, about, people, clinicians, types, type, choices, person, signedIn } =
    loaded
  const { kept, asked } = loaded
  const askedKey = JSON.stringify(asked)
  const setUp = { practice: practice.slug, as, type: type.type }
  const target = `?${new URLSearchParams(person.kind === 'patient' ? setUp : { ...setUp, about })}`
  const values = outcome?.values ?? kept?.values ?? asked
  const call = { action: target, kind: person.kind, type, choices, about, values }
  const wrong = outcome?.kind === 'refused' ? outcome : null
  const isOperation = values.operation !== undefined
  return (
    <div className="ex-page wide">
      <ExplorerNav />
      <PageHeader title="FHIR builder">
        Search and read one practice’s records. The form comes from the live CapabilityStatement, and calls
        use a real access token of a synthetic person. The token stays on our server for an hour at most, and
        ends when you sign out. <Link to={paths.typeReference(type.type)}>{type.type} in the reference</Link>.
      </PageHeader>
      {!signedIn && (
        <p>
          You aren’t signed in, so you use the shared demonstration practice, with a few calls a minute.{' '}
          <Link to={paths.signIn}>Sign in</Link> to use your own sandbox.
        </p>
      )}
      <FhirSetup
        key={`${practice.slug} ${as} ${about} ${type.type}`}
        {...{ practices, as, about, people, clinicians, types }}
        practice={practice.slug}
        type={type.type}
      />
      {kept && !outcome && (
        <p>
          From your history.{' '}
          {kept.empty.length > 0 &&
            `Values that could name a person were not stored. Fill in ${kept.empty.join(', ')} again.`}
        </p>
      )}
      <FhirForm
        key={`call ${practice.slug} ${as} ${about} ${type.type} ${kept?.id} ${askedKey}`}
        {...call}
        wrong={isOperation ? null : wrong}
      />
      <FhirOperations
        key={`operations ${practice.slug} ${as} ${about} ${type.type} ${kept?.id} ${askedKey}`}
        {...{ ...call, types }}
        wrong={isOperation ? wrong : null}
      />
      {outcome?.kind === 'answer' && (
        <FhirAnswer key={outcome.correlationId} action={target} answer={outcome} />
      )}
    </div>
  )
}
