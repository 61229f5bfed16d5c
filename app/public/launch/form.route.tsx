import { Link, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { launchKindRow } from '../../../server/contract/lab/launch-lab.ts'
import {
  formOfLink,
  linkQuery,
  openLaunchClinicians,
  openLaunchForm,
  openLaunchKinds,
  openLaunchPatients,
  openLaunchScopes,
} from '../../../server/contract/lab/open-launch.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Choices } from '../../components/ui/choice.tsx'
import { ContractForm, Field, Select, TextArea } from '../../components/ui/form.tsx'
import { runForm } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'

export const meta = () => [{ title: 'Launch your app · Sandpiper' }]

/** The parameters of a link fill the form, so that it can be changed. */
export const loader = page(async ({ request }) => ({
  filled: formOfLink(new URL(request.url).searchParams),
}))

export const action = page(async (args) =>
  runForm(args.request, openLaunchForm, async (launch) => {
    await args.context.services.openLaunches.show(launch)
    return redirect(`${paths.openLaunchLink}?${linkQuery(launch)}`)
  }),
)

const labels = {
  kind: 'Launch type',
  url: 'Launch URL',
  redirect: 'Redirect URIs',
  patient: 'Patient',
  clinician: 'Clinician',
  encounter: 'Visit',
  scope: 'Scopes',
}

const kinds = openLaunchKinds.map((kind) => {
  const { title, sub } = launchKindRow(kind)
  return { value: kind, label: title, sub }
})
const toOption = ({ id, name, purpose }: { id: string; name: string; purpose: string }) => ({
  value: id,
  label: `${name}: ${purpose}`,
})

const defaults = {
  kind: openLaunchKinds[0],
  patient: openLaunchPatients[0]?.id,
  clinician: openLaunchClinicians[0]?.id,
  scope: openLaunchScopes.patient,
}

export default function LaunchForm() {
  const { filled } = useLoaderData<typeof loader>()
  return (
    <Gate
      open
      wide
      title="Launch your app without an account"
      lead="Start any SMART app against the demonstration practice, with the real consent page and synthetic people. You get a link to bookmark or share."
      after={
        <p>
          <Link to={paths.openLaunchLogs}>View your launches of the last hour</Link>
        </p>
      }
    >
      <ContractForm
        optional={['clinician', 'encounter']}
        labels={labels}
        defaultValue={{ ...defaults, ...filled }}
        button="Create launch link"
        busy="Creating"
      >
        <Choices name="kind" options={kinds} />
        <Field
          name="url"
          mono
          spellCheck={false}
          hint="The URL that starts your app. Use https, or http on localhost. We add iss, and launch if the launch type has it."
        />
        <TextArea
          name="redirect"
          mono
          rows={2}
          spellCheck={false}
          hint="One per line, exactly as your app sends them. They determine your client ID."
        />
        <Select name="patient" options={openLaunchPatients.map(toOption)} />
        <Select
          name="clinician"
          options={openLaunchClinicians.map(toOption)}
          hint="The person who authorizes clinician launches. Ignored in patient launches."
        />
        <Field
          name="encounter"
          mono
          hint="Enter “latest” for the patient’s latest visit, a visit ID, or leave it empty. For launches with a launch value."
        />
        <TextArea
          name="scope"
          mono
          rows={3}
          spellCheck={false}
          hint="The most your app can get. Clinician launches can also use user/*.rs. Scopes beyond these are removed from your app’s request."
        />
      </ContractForm>
    </Gate>
  )
}
