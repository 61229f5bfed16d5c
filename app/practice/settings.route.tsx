import { Form, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { type FhirType, fhirRegistry } from '../../server/contract/fhir/registry.ts'
import { typeLabel } from '../../server/contract/smart/scope-labels.ts'
import { Refusal } from '../components/ui/action-form.tsx'
import { Check, Checkboxes } from '../components/ui/choice.tsx'
import { CopyButton } from '../components/ui/copy-button.tsx'
import { optionsOf } from '../components/ui/form.tsx'
import { Card, Facts, PageHeader, SubmitButton } from '../components/ui/page-parts.tsx'
import { runAction } from '../lib/submission.server.ts'
import { here, page } from '../services.server.ts'
import { decidingRoles, getPractice } from './practice.server.ts'

export const meta = () => [{ title: 'Settings · Sandpiper' }]

const audiences = ['patient', 'clinician', 'backend'] as const
const types = Object.keys(fhirRegistry) as readonly FhirType[]

/** If every type is ticked, types that are added later are allowed, too. */
const policyForm = z.object({
  enabled: z
    .string()
    .optional()
    .transform((value) => value === 'on'),
  audiences: z.array(z.enum(audiences)),
  types: z
    .array(z.string())
    .transform((chosen) => (types.every((type) => chosen.includes(type)) ? null : chosen)),
})

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
    { save: policyForm },
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
        <Check name="enabled" checked={policy.enabled}>
          Allow FHIR access
          <span className="sub">
            If you turn this off, no app can read anything, and running exports are canceled.
          </span>
        </Check>
        <Checkboxes
          name="audiences"
          legend="Allowed apps"
          ticked={policy.audiences}
          options={optionsOf({
            patient: 'Patients’ apps',
            clinician: 'Clinicians’ apps',
            backend: 'Backend systems you allowed',
          })}
        />
        <Checkboxes
          name="types"
          legend="Record types that apps can read"
          ticked={policy.types ?? types}
          options={types.map((type) => ({ value: type, label: typeLabel(type) }))}
        />
        <SubmitButton name="intent" value="save" busy="Saving">
          Save
        </SubmitButton>
      </Form>
    </>
  )
}
