import { Form, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { Refusal } from '../components/ui/action-form.tsx'
import { CopyButton } from '../components/ui/copy-button.tsx'
import { Card, Facts, PageHeader, SubmitButton } from '../components/ui/page-parts.tsx'
import { runAction } from '../lib/submission.server.ts'
import { here, page } from '../services.server.ts'
import { PolicyFields, policyShape } from '../shared/fhir-policy/policy-fields.tsx'
import { decidingRoles, getPractice } from './practice.server.ts'

export const meta = () => [{ title: 'Settings · Sandpiper' }]

export const loader = page(async (args) => {
  const { actor, practice } = await getPractice(args, decidingRoles)
  return {
    practice: { slug: practice.slug, name: practice.name },
    policy: await args.context.services.fhirPolicy.get(practice.id, actor),
  }
})

export const action = page(async (args) => {
  const { actor, practice } = await getPractice(args, decidingRoles)
  return runAction(
    args,
    { save: z.object(policyShape) },
    { save: (policy) => args.context.services.fhirPolicy.set(practice.id, policy, actor) },
    { to: () => ({ path: here(args.request), done: 'fhir_policy_saved' }) },
  )
})

export default function PracticeSettings() {
  const { practice, policy } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Settings">
        See how developers find {practice.name}, and choose which apps and records you allow.
      </PageHeader>
      <Refusal title="Not saved." />
      <Card padded title="Your practice">
        <Facts
          className="facts wide"
          of={{
            Name: practice.name,
            'Practice ID': (
              <>
                <code>{practice.slug}</code> <CopyButton text={practice.slug} label="Copy the practice ID" />
                <p className="small muted">Developers find your practice by its name or by this ID.</p>
              </>
            ),
          }}
        />
      </Card>
      <Form method="post" className="card pad stack" aria-label="App access">
        <div>
          <h2>App access</h2>
          <p className="muted">
            Patients and clinicians choose their own apps, and you decide about each backend system. Here you
            decide which kinds of apps may connect at all, and which records they can read.
          </p>
        </div>
        <PolicyFields policy={policy} systems="Backend systems you allowed" />
        <SubmitButton name="intent" value="save" busy="Saving">
          Save
        </SubmitButton>
      </Form>
    </>
  )
}
