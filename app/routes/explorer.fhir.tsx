import type { MetaFunction } from '@remix-run/react'
import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/paths.ts'
import { ExplorerNav } from '../components/explorer/explorer-nav.tsx'
import { FhirAnswer } from '../components/explorer/fhir-answer.tsx'
import { FhirForm } from '../components/explorer/fhir-form.tsx'
import { FhirSetup } from '../components/explorer/fhir-setup.tsx'
import { PageHead } from '../components/ui/page-head.tsx'
import { loadBuilder, runBuilder } from '../explorer/fhir-builder.server.ts'
import { page } from '../services.server.ts'

export const meta: MetaFunction = () => [{ title: 'FHIR builder · Sandpiper' }]

export const loader = page((args: LoaderFunctionArgs) => loadBuilder(args))

export const action = page(async (args: ActionFunctionArgs) => {
  const outcome = await runBuilder(args)
  return outcome.kind === 'refused' ? data(outcome, { status: 400 }) : outcome
})

export default function FhirBuilder() {
  const loaded = useLoaderData<typeof loader>()
  const outcome = useActionData<typeof action>()
  const { practices, practice, as, people, clinicians, types, type, codes, person, signedIn, kept } = loaded
  const target = `?${new URLSearchParams({ practice: practice.slug, as, type: type.type })}`
  return (
    <div className="ex-page wide">
      <ExplorerNav />
      <PageHead title="FHIR builder">
        Searches and reads of one practice, made from its live CapabilityStatement and sent with a real access
        token of a synthetic person. The token stays on our server, lasts an hour at most and ends when you
        sign out.
      </PageHead>
      {!signedIn && (
        <p>
          You are not signed in: this is the shared demonstration practice, a few calls a minute.{' '}
          <Link to={paths.signIn}>Sign in</Link> for a sandbox of your own.
        </p>
      )}
      <FhirSetup
        key={`${practice.slug} ${as} ${type.type}`}
        {...{ practices, as, people, clinicians, types }}
        practice={practice.slug}
        type={type.type}
      />
      {kept && !outcome && (
        <p>
          From your history.{' '}
          {kept.empty.length > 0 &&
            `What may name a person was not kept: fill in ${kept.empty.join(', ')} again.`}
        </p>
      )}
      <FhirForm
        key={`call ${practice.slug} ${as} ${type.type} ${kept?.id}`}
        action={target}
        kind={person.kind}
        {...{ type, codes, people }}
        values={outcome?.values ?? kept?.values ?? {}}
        wrong={outcome?.kind === 'refused' ? outcome : null}
      />
      {outcome?.kind === 'answer' && (
        <FhirAnswer key={outcome.correlationId} action={target} answer={outcome} />
      )}
    </div>
  )
}
