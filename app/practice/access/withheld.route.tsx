import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { withheldForms } from '../../../server/contract/forms/withheld-patients.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Services } from '../../../server/services.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Field } from '../../components/ui/form.tsx'
import { EyeOff, UserSearch } from '../../components/ui/icons.ts'
import { Pager, SearchedList } from '../../components/ui/list.tsx'
import { Card, EmptyState, Moment, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { goOn, readFields, runAction } from '../../lib/submission.server.ts'
import { findStepUp, page } from '../../services.server.ts'
import { ConfirmBanner } from '../../shared/sign-in/confirm-first.tsx'
import { getPractice } from '../practice.server.ts'
import { WithheldTable, WithholdForm } from './withheld-parts.tsx'

export const meta = () => [{ title: 'Withheld patients · Sandpiper' }]

export const loader = page(async (args) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  const query = new URL(args.request.url).searchParams
  const { withheldPatients, withholdRequests } = args.context.services
  const listed = await withheldPatients.list(practice.id, actor, readPageAsk(query))
  return {
    practice: { slug: practice.slug, name: practice.name },
    listed,
    requests: await withholdRequests.listOpen(practice.id, actor),
    // The password is confirmed before the reason is typed.
    stepUp: findStepUp(args, session),
    onceKey: crypto.randomUUID(),
  }
})

/** A search by name is a POST, so that the name is in no URL. */
export const action = page(async (args) => {
  const { session, actor, practice } = await getPractice(args, ['admin'])
  const { withheldPatients } = args.context.services
  const fields = await readFields(args.request)
  const name = String(fields.get('name') ?? '')
  const find = async () => ({
    name,
    found: await withheldPatients.find({ practiceId: practice.id, text: name }, actor),
  })
  if (fields.get('intent') === 'find') return find()
  const backTo = `${paths.practiceWithheld}?${new URLSearchParams({ practice: practice.slug })}`
  const answer = await runAction(
    args,
    withheldForms,
    {
      withhold: async ({ patient, reason }) => {
        const input = { practiceId: practice.id, patientId: patient, reason }
        await withheldPatients.withhold(input, actor)
        throw goOn(backTo, 'practice_patient_withheld')
      },
      decline: async ({ request, reason }) => {
        await withheldPatients.decline({ practiceId: practice.id, requestId: request, reason }, actor)
        throw goOn(backTo, 'practice_withholding_declined')
      },
      release: ({ withheld }) =>
        withheldPatients.release({ practiceId: practice.id, withheldId: withheld }, actor),
    },
    { to: () => ({ path: backTo, done: 'practice_patient_released' }), session, fields },
  )
  // A refused form is shown again, with the patients it chooses from.
  if (!('data' in answer) || name === '') return answer
  return data({ ...answer.data, ...(await find()) }, answer.init ?? {})
})

export default function WithheldPatients() {
  const { practice, listed, requests, stepUp, onceKey } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  const { found, name } = answer && 'found' in answer ? answer : {}
  return (
    <>
      <PageHeader title="Withheld patients">
        These patients are hidden from keys and apps, as if {practice.name} did not have them. This includes
        apps that the patients allowed themselves.
      </PageHeader>
      <Refusal />
      <Requests requests={requests} mayDecide={stepUp === null} onceKey={onceKey} />
      {stepUp ? (
        <ConfirmBanner to={stepUp} title="Confirm your password before you change who is withheld." />
      ) : (
        <div className="stack gap-5">
          <Form method="post" className="card pad stack" role="search" aria-label="Find a patient">
            <Field
              name="name"
              label="Patient"
              hint="A name, or a complete medical record number."
              maxLength={100}
              autoComplete="off"
              required
            />
            <SubmitButton look="outline" name="intent" value="find" busy="Searching">
              Find patient
            </SubmitButton>
          </Form>
          {found?.length === 0 && (
            <EmptyState icon={UserSearch} title="No patient found">
              Check the name or the medical record number.
            </EmptyState>
          )}
          {found && found.length > 0 && <WithholdForm found={found} name={name} onceKey={onceKey} />}
        </div>
      )}
      <SearchedList
        listed={listed}
        search="Patient ID or reason"
        one="withheld patient"
        icon={EyeOff}
        title="No patient is withheld"
        empty="Keys and apps can read every patient that their access covers."
      >
        <WithheldTable rows={listed.rows} mayRelease={stepUp === null} onceKey={onceKey} />
        <Pager label="withheld patients" listed={listed} />
      </SearchedList>
    </>
  )
}

type Request = Awaited<ReturnType<Services['withholdRequests']['listOpen']>>[number]

interface RequestsProps {
  requests: readonly Request[]
  mayDecide: boolean
  onceKey: string
}

/** Patients' requests to be withheld, each with forms to withhold or to decline. */
function Requests({ requests, mayDecide, onceKey }: RequestsProps) {
  if (requests.length === 0) return null
  return (
    <Card title="Requests for no further access">
      <ul className="pad list">
        {requests.map((request) => (
          <li key={request.id} className="stack">
            <div>
              <span className="label">{request.name ?? `Patient ID ${request.patientId}`}</span>
              <p className="small muted">
                {request.birthDate && `Born ${request.birthDate}. `}Asked by {request.askedBy},{' '}
                <Moment at={request.createdAt} />
              </p>
            </div>
            {mayDecide && <Decisions request={request} onceKey={onceKey} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Decisions({ request, onceKey }: { request: Request; onceKey: string }) {
  const key = `${onceKey}-${request.id.slice(-6)}`
  const name = request.name ?? request.patientId
  return (
    <div className="row">
      <ActionForm
        className="inline"
        intent="withhold"
        version={0}
        onceKey={key}
        row={{ name: 'patient', id: request.patientId }}
        look="danger"
        busy="Withholding"
        button="Withhold"
        about={name}
      >
        <input type="hidden" name="reason" value="The patient requested it in the portal." />
      </ActionForm>
      <ActionForm
        intent="decline"
        version={0}
        onceKey={key}
        label={`Decline the request for ${name}`}
        row={{ name: 'request', id: request.id }}
        folded={
          <>
            Decline<span className="sr"> the request for {name}</span>
          </>
        }
        look="danger"
        busy="Declining"
        button="Decline request"
        reason="Reason"
        reasonHint="10 to 500 characters. The patient gets it by email."
      />
    </div>
  )
}
