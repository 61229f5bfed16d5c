import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { disclosureYearsMax } from '../../../server/contract/portal/disclosures.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { FoundPatient } from '../../../server/domain/disclosures/find-patients.ts'
import { Check, Choices } from '../../components/ui/choice.tsx'
import { DownloadButtons } from '../../components/ui/download-buttons.tsx'
import { Field } from '../../components/ui/form.tsx'
import { UserSearch } from '../../components/ui/icons.ts'
import { Card, EmptyState, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { readFields } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { getPractice } from '../practice.server.ts'

export const meta = () => [{ title: 'Accounting of disclosures · Sandpiper' }]

export const loader = page(async (args) => {
  const { practice } = await getPractice(args, ['admin'])
  const { calendar, clock } = args.context.services
  const today = calendar.dateOf(clock())
  return {
    practice: { slug: practice.slug, name: practice.name },
    today,
    yearAgo: `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`.replace('-02-29', '-02-28'),
    zone: calendar.zone,
  }
})

/** A search by name is a POST, so that the name is in no URL. */
export const action = page(async (args) => {
  const { actor, practice } = await getPractice(args, ['admin'])
  const text = String((await readFields(args.request)).get('patient') ?? '')
  const found = await args.context.services.disclosures.findPatients({ practiceId: practice.id, text }, actor)
  return { found }
})

export default function Disclosures() {
  const { practice } = useLoaderData<typeof loader>()
  const found = useActionData<typeof action>()?.found
  return (
    <>
      <PageHeader title="Accounting of disclosures">
        Who received a patient’s records from {practice.name}, when and for which purpose, as 45 CFR 164.528
        requires. <Link to={paths.practiceAudit}>Back to the access record</Link>
      </PageHeader>
      <div className="stack gap-5">
        <Form method="post" className="card pad stack" role="search" aria-label="Find a patient">
          <Field
            name="patient"
            label="Patient"
            hint="A name, or a complete medical record number."
            maxLength={100}
            autoComplete="off"
            required
          />
          <SubmitButton look="outline" busy="Searching">
            Find patient
          </SubmitButton>
        </Form>
        {found?.length === 0 && (
          <EmptyState icon={UserSearch} title="No patient found">
            Check the name or the medical record number. If the chart was deleted, enter its patient ID below.
          </EmptyState>
        )}
        <DownloadForm found={found ?? []} />
      </div>
    </>
  )
}

function DownloadForm({ found }: { found: readonly FoundPatient[] }) {
  const { practice, today, yearAgo, zone } = useLoaderData<typeof loader>()
  const [first, ...others] = found
  return (
    <Card padded title="Download the accounting" id="download">
      <form method="get" action={paths.practiceDisclosuresFile} className="stack">
        <input type="hidden" name="practice" value={practice.slug} />
        {first ? (
          <Choices
            key={found.map(({ id }) => id).join(' ')}
            name="patient"
            legend="Patient"
            // With several patients, none is preselected: a slip would disclose another patient's list.
            value={others.length === 0 ? first.id : ''}
            required
            options={found.map(({ id, name, birthDate, mrn }) => ({
              value: id,
              label: name,
              sub: [birthDate && `Born ${birthDate}`, mrn && `MRN ${mrn}`].filter(Boolean).join(' · '),
            }))}
          />
        ) : (
          <Field
            name="patient"
            id="patient-id"
            label="Patient ID"
            hint="Find the patient above, or enter the ID from the access record."
            maxLength={64}
            mono
            required
          />
        )}
        <div className="grid g3">
          <Field name="from" type="date" label="First day" value={yearAgo} required />
          <Field name="to" type="date" label="Last day" value={today} required />
        </div>
        <p className="small">
          At most {disclosureYearsMax} years. Days begin at midnight in {zone}.
        </p>
        <Check name="all">
          Include disclosures that the rule excepts: treatment, payment, operations, the patient’s own access
          and apps that the patient authorized
        </Check>
        <DownloadButtons />
      </form>
    </Card>
  )
}
