import { Form, Link, type MetaFunction, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../../server/contract/portal/paths.ts'
import { SubmitButton } from '../../components/ui/button.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { longDeadlineMs, page } from '../../services.server.ts'
import { ExplorerNav } from '../explorer-nav.tsx'
import { Parameter, PracticeSelect } from '../inputs.tsx'
import { FhirAnswer } from './fhir-answer.tsx'
import { loadBuilder, runBuilder } from './fhir-builder.server.ts'
import { FhirForm } from './fhir-form.tsx'
import { FhirOperations } from './fhir-operations.tsx'

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

interface SetupProps {
  practices: readonly { slug: string; name: string }[]
  practice: string
  as: string
  /** The chart that references are offered of. */
  about: string
  people: readonly { id: string; name: string }[]
  clinicians: readonly { id: string; name: string }[]
  types: readonly string[]
  type: string
}

/** Where, as whom, and what kind of resource. Sent with GET: every set-up of the builder has an address. */
function FhirSetup({ practices, practice, as, about, people, clinicians, types, type }: SetupProps) {
  const isListed =
    people.some(({ id }) => as === `patient:${id}`) || clinicians.some(({ id }) => as === `clinician:${id}`)
  const other = isListed || !as.startsWith('patient:') ? '' : as.slice('patient:'.length)
  return (
    <Form method="get" className="card pad stack" aria-label="Set-up">
      <div className="builder-values">
        <PracticeSelect practices={practices} practice={practice} />
        <div className="field">
          <label htmlFor="as">Token for</label>
          <select className="input" id="as" name="as" defaultValue={isListed ? as : undefined}>
            <optgroup label="Patients">
              {people.map(({ id, name }) => (
                <option key={id} value={`patient:${id}`}>
                  {name}
                </option>
              ))}
            </optgroup>
            <optgroup label="Clinicians">
              {clinicians.map(({ id, name }) => (
                <option key={id} value={`clinician:${id}`}>
                  {name}
                </option>
              ))}
            </optgroup>
          </select>
        </div>
        <Parameter
          kind="id"
          id="other"
          name="other"
          label="Or enter a patient ID"
          value={other}
          maxLength={64}
        />
        {as.startsWith('clinician:') && (
          <Parameter
            kind="id"
            id="about"
            name="about"
            label="Chart"
            value={about}
            maxLength={64}
            records={people.map(({ id, name }) => ({ value: id, display: name }))}
          />
        )}
        <Parameter kind="choice" id="type" name="type" label="Resource type" value={type} choices={types} />
      </div>
      <div className="row">
        <SubmitButton look="outline">Show its parameters</SubmitButton>
      </div>
    </Form>
  )
}
