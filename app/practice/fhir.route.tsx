import type { MetaFunction } from '@remix-run/react'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { z } from 'zod'
import { fhirRegistry } from '../../server/contract/fhir/registry.ts'
import { Banner } from '../components/ui/banner.tsx'
import { SubmitButton } from '../components/ui/button.tsx'
import { Check, Checkboxes } from '../components/ui/choice.tsx'
import { optionsOf } from '../components/ui/field.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { goOn, readFields, refusalOf } from '../lib/submission.server.ts'
import { here, page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { getPractice } from './practice.server.ts'
import { PracticeChooser } from './practice-chooser.tsx'

export const meta: MetaFunction = () => [{ title: 'FHIR access · Sandpiper' }]

const audiences = ['patient', 'clinician', 'backend'] as const
const types = Object.keys(fhirRegistry)
const fieldsMax = 80

const form = z.object({
  enabled: z.boolean(),
  audiences: z.array(z.enum(audiences)),
  types: z.array(z.string()),
})

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account, practice, practices } = await getPractice(args, ['admin', 'signatory'])
  const policy = await args.context.services.fhirPolicy.get(practice.id, actor)
  return {
    account,
    practice: { slug: practice.slug, name: practice.name },
    practices,
    policy: { ...policy, types: policy.types ?? types },
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { actor, practice } = await getPractice(args, ['admin', 'signatory'])
  const fields = await readFields(args.request, fieldsMax)
  try {
    const policy = form.parse({
      enabled: fields.get('enabled') === 'on',
      audiences: fields.getAll('audiences'),
      types: fields.getAll('types'),
    })
    const every = types.every((type) => policy.types.includes(type))
    const set = { ...policy, types: every ? null : policy.types }
    await args.context.services.fhirPolicy.set(practice.id, set, actor)
  } catch (thrown) {
    return refusalOf(thrown)
  }
  return goOn(here(args.request), 'fhir_policy_saved')
})

export default function FhirAccess() {
  const { account, practice, practices, policy } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader title="FHIR access">
        Whose apps may read records of {practice.name} over FHIR, and which types of records are let out. A
        patient’s app is the patient’s choice; it is never held up by anything else here.
      </PageHeader>
      <PracticeChooser practice={practice} practices={practices} />
      {wrong && (
        <Banner tone="bad" title="Not saved.">
          {wrong}
        </Banner>
      )}
      <Form method="post" className="card pad stack" aria-label="FHIR access">
        <Check name="enabled" checked={policy.enabled}>
          FHIR access is on
          <span className="sub">Off, no app reads anything, and exports that run are cancelled.</span>
        </Check>
        <Checkboxes
          name="audiences"
          legend="Whose apps are let in"
          ticked={policy.audiences}
          options={optionsOf({
            patient: 'Patients’ apps',
            clinician: 'Clinicians’ apps',
            backend: 'Backend systems that you granted',
          })}
        />
        <Checkboxes
          name="types"
          legend="Types of records that are let out"
          ticked={policy.types}
          options={types.map((type) => ({ value: type, label: type }))}
        />
        <div>
          <SubmitButton busy="Saving">Save</SubmitButton>
        </div>
      </Form>
    </ConsoleFrame>
  )
}
