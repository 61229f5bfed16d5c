import { Form, Link, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { opsActions, opsReason } from '../../../server/contract/portal/ops-actions.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { TextArea } from '../../components/ui/form.tsx'
import { Card, Facts, Moment, PageHeader, SubmitButton, Tag } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { PolicyFields, policyShape } from '../../shared/fhir-policy/policy-fields.tsx'
import { LockedCard } from '../../shared/sign-in/confirm-first.tsx'
import { getOps, openOps, performAct } from '../ops.server.ts'
import { OpsAct, OpsActLink } from '../ops-act.tsx'

export const meta = () => [{ title: 'Practice · Sandpiper' }]

const mine = ['rename_practice', 'invite_practice_admin', 'suspend_practice', 'resume_practice'] as const
const stepForms = {
  set_policy: z.object({
    ...policyShape,
    id: z.string(),
    version: z.coerce.number().int().min(0),
    reason: z.string(),
  }),
}

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, mine, paths.staffPractice(args.params.practice ?? ''))
  const practice = await args.context.services.operations.practices.get(args.params.practice ?? '', actor)
  return { act, practice }
})

export const action = page(async (args) => {
  const back = paths.staffPractice(args.params.practice ?? '')
  if (new URL(args.request.url).searchParams.get('set') !== 'fhir') return performAct(args, mine, back)
  const { actor } = await getOps(args)
  const { practices } = args.context.services.operations
  return runAction(
    args,
    stepForms,
    { set_policy: (policy) => practices.setFhirPolicy(policy, actor) },
    { to: () => ({ path: back, done: 'ops_done' }) },
  )
})

export default function OnePractice() {
  const { act, practice } = useLoaderData<typeof loader>()
  const { counts } = practice
  const works = practice.state === 'active'
  return (
    <>
      <PageHeader title={practice.name}>
        A {practice.environment} practice. <Link to={paths.staffPractices}>All practices</Link>
      </PageHeader>
      <OpsAct about={practice.name} />
      <Refusal title="Not saved." />
      <Card
        id="stands"
        title="State"
        aside={
          <>
            <OpsActLink
              act={works ? 'suspend_practice' : 'resume_practice'}
              id={practice.id}
              version={practice.version}
              label={works ? 'Stop' : 'Resume'}
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
            State: <Tag tone={works ? 'ok' : 'bad'}>{works ? 'Active' : 'Stopped'}</Tag>,
            Id: <code className="breaks">{practice.slug}</code>,
            Kind: practice.purpose.replaceAll('_', ' '),
            'In the directory': practice.inDirectory ? 'Yes' : 'No',
            Since: <Moment at={practice.createdAt} as="date" />,
            Admins: counts.admins,
            'Active keys': counts.keys,
            'Production requests': counts.requests,
            'Allowed apps': counts.apps,
            'Running exports': counts.exports,
          }}
        />
      </Card>
      {act.stepUp === null ? (
        <PolicyForm />
      ) : (
        <LockedCard id="fhir" title="FHIR policy" to={act.stepUp}>
          The practice sets this itself. To change it, confirm your password first.
        </LockedCard>
      )}
    </>
  )
}

function PolicyForm() {
  const { practice } = useLoaderData<typeof loader>()
  return (
    <Form method="post" action="?set=fhir" className="card pad stack" aria-labelledby="fhir">
      <h2 id="fhir">FHIR policy</h2>
      <p className="muted">The practice sets this itself. We notify its admins if you change it.</p>
      <input type="hidden" name="id" value={practice.id} />
      <input type="hidden" name="version" value={practice.version} />
      <PolicyFields policy={practice.fhir} systems="Backend systems that the practice granted" />
      <TextArea
        id="policy-reason"
        name="reason"
        label="Reason"
        rows={2}
        hint={`${opsReason.least} to ${opsReason.most} characters. Stored in the audit log. The practice’s admins read it.`}
      />
      <SubmitButton name="intent" value="set_policy" busy="Saving">
        Change FHIR policy
      </SubmitButton>
    </Form>
  )
}
