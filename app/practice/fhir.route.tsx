import type { MetaFunction } from '@remix-run/react'
import { Form, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { z } from 'zod'
import { Refusal } from '../components/ui/action-form.tsx'
import { SubmitButton } from '../components/ui/button.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { runAction } from '../lib/submission.server.ts'
import { here, page } from '../services.server.ts'
import { PolicyFields, policyShape } from '../shared/fhir-policy/policy-fields.tsx'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { getPractice } from './practice.server.ts'
import { PracticeChooser } from './practice-chooser.tsx'

export const meta: MetaFunction = () => [{ title: 'FHIR access · Sandpiper' }]

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account, practice, practices } = await getPractice(args, ['admin', 'signatory'])
  const policy = await args.context.services.fhirPolicy.get(practice.id, actor)
  return {
    account,
    practice: { slug: practice.slug, name: practice.name },
    practices,
    policy,
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { actor, practice } = await getPractice(args, ['admin', 'signatory'])
  return runAction(
    args,
    { save: z.object(policyShape) },
    { save: (policy) => args.context.services.fhirPolicy.set(practice.id, policy, actor) },
    { to: () => ({ path: here(args.request), done: 'fhir_policy_saved' }) },
  )
})

export default function FhirAccess() {
  const { account, practice, practices, policy } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader title="FHIR access">
        Whose apps may read records of {practice.name} over FHIR, and which types of records are let out. A
        patient’s app is the patient’s choice; it is never held up by anything else here.
      </PageHeader>
      <PracticeChooser practice={practice} practices={practices} />
      <Refusal title="Not saved." />
      <Form method="post" className="card pad stack" aria-label="FHIR access">
        <PolicyFields policy={policy} systems="Backend systems that you granted" />
        <div>
          <SubmitButton name="intent" value="save" busy="Saving">
            Save
          </SubmitButton>
        </div>
      </Form>
    </ConsoleFrame>
  )
}
