import type { MetaFunction } from '@remix-run/react'
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/server-runtime'
import { z } from 'zod'
import { fhirRegistry } from '../../../server/contract/fhir/registry.ts'
import { opsActions, opsReason } from '../../../server/contract/portal/ops-actions.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { LinkButton, SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Check, Checkboxes } from '../../components/ui/choice.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { optionsOf, TextArea } from '../../components/ui/field.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { Tag } from '../../components/ui/tag.tsx'
import { goOn, readFields, refusalOf } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getOps, performAct, readAsked } from '../ops.server.ts'
import { OpsAct, OpsActLink } from '../ops-act.tsx'
import { OpsFrame } from '../ops-frame.tsx'

export const meta: MetaFunction = () => [{ title: 'Practice · Sandpiper' }]

const mine = ['rename_practice', 'invite_practice_admin', 'suspend_practice', 'resume_practice'] as const
const audiences = ['patient', 'clinician', 'backend'] as const
const types = Object.keys(fhirRegistry)
const fieldsMax = 80

const policyForm = z.object({
  id: z.string(),
  version: z.coerce.number().int().min(0),
  reason: z.string(),
  enabled: z.boolean(),
  audiences: z.array(z.enum(audiences)),
  types: z.array(z.string()),
})

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { actor, account, stepUp } = await getOps(args)
  const practice = await args.context.services.operations.practices.get(args.params.practice ?? '', actor)
  return { account, stepUp, practice, asked: readAsked(args.request, mine) }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const back = paths.staffPractice(args.params.practice ?? '')
  if (new URL(args.request.url).searchParams.get('set') !== 'fhir') return performAct(args, mine, back)
  const { actor } = await getOps(args)
  const fields = await readFields(args.request, fieldsMax)
  const parsed = policyForm.safeParse({
    id: fields.get('id'),
    version: fields.get('version'),
    reason: fields.get('reason'),
    enabled: fields.get('enabled') === 'on',
    audiences: fields.getAll('audiences'),
    types: fields.getAll('types'),
  })
  if (!parsed.success) return data({ wrong: 'The form did not arrive whole.' }, { status: 400 })
  const every = types.every((type) => parsed.data.types.includes(type))
  try {
    await args.context.services.operations.practices.setFhirPolicy(
      { ...parsed.data, types: every ? null : parsed.data.types },
      actor,
    )
  } catch (thrown) {
    return refusalOf(thrown)
  }
  return goOn(back, 'ops_done')
})

export default function OnePractice() {
  const { account, stepUp, practice, asked } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const wrong = answer && 'wrong' in answer ? answer.wrong : null
  const { counts } = practice
  const works = practice.state === 'active'
  const back = paths.staffPractice(practice.slug)
  return (
    <OpsFrame
      account={account}
      title={practice.name}
      lead={`A ${practice.environment} practice.`}
      up={{ to: paths.staffPractices, label: 'All practices' }}
    >
      {asked && <OpsAct asked={asked} about={practice.name} stepUp={stepUp} back={back} />}
      {wrong && (
        <Banner tone="bad" title="Not saved.">
          {wrong}
        </Banner>
      )}
      <Card
        id="stands"
        title="How it stands"
        aside={
          <>
            <OpsActLink
              act={works ? 'suspend_practice' : 'resume_practice'}
              id={practice.id}
              version={practice.version}
              label={works ? 'Suspend' : 'Let it work again'}
              of={practice.name}
            />
            {practice.purpose === 'office' &&
              (['rename_practice', 'invite_practice_admin'] as const).map((act) => (
                <OpsActLink
                  key={act}
                  act={act}
                  id={practice.id}
                  version={practice.version}
                  label={opsActions[act].title}
                  of={practice.name}
                />
              ))}
          </>
        }
      >
        <Facts
          className="pad facts wide"
          of={{
            State: <Tag tone={works ? 'ok' : 'bad'}>{works ? 'Active' : 'Suspended'}</Tag>,
            Id: <code className="breaks">{practice.slug}</code>,
            Kind: practice.purpose.replaceAll('_', ' '),
            'In the directory': practice.inDirectory ? 'Yes' : 'No',
            Since: <Moment at={practice.createdAt} as="date" />,
            Admins: counts.admins,
            'Keys that live': counts.keys,
            'Production requests': counts.requests,
            'Apps let in': counts.apps,
            'Exports that run': counts.exports,
          }}
        />
      </Card>
      {stepUp === null ? <PolicyForm /> : <Locked to={stepUp} />}
    </OpsFrame>
  )
}

function Locked({ to }: { to: string }) {
  return (
    <Card padded id="fhir" title="FHIR policy">
      <p className="muted">The practice sets it itself; in its place only with fresh proof of who you are.</p>
      <div>
        <LinkButton to={to}>Confirm that it is you</LinkButton>
      </div>
    </Card>
  )
}

function PolicyForm() {
  const { practice } = useLoaderData<typeof loader>()
  return (
    <Form method="post" action="?set=fhir" className="card pad stack" aria-labelledby="fhir">
      <h2 id="fhir">FHIR policy</h2>
      <p className="muted">The practice sets it itself. What you set here is told to its admins.</p>
      <input type="hidden" name="id" value={practice.id} />
      <input type="hidden" name="version" value={practice.version} />
      <Check name="enabled" checked={practice.fhir.enabled}>
        FHIR access is on
        <span className="sub">Off, no app reads anything, and exports that run are cancelled.</span>
      </Check>
      <Checkboxes
        name="audiences"
        legend="Whose apps are let in"
        ticked={practice.fhir.audiences}
        options={optionsOf({
          patient: 'Patients’ apps',
          clinician: 'Clinicians’ apps',
          backend: 'Backend systems that the practice granted',
        })}
      />
      <Checkboxes
        name="types"
        legend="Types of records that are let out"
        ticked={practice.fhir.types ?? types}
        options={types.map((type) => ({ value: type, label: type }))}
      />
      <TextArea
        id="policy-reason"
        name="reason"
        label="Reason"
        rows={2}
        hint={`In ${opsReason.least} to ${opsReason.most} characters. Kept in the audit; the admins read it.`}
      />
      <div>
        <SubmitButton busy="Saving">Change the FHIR policy</SubmitButton>
      </div>
    </Form>
  )
}
