import { Link, useLoaderData, useLocation } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { factorResetForm } from '../../../server/contract/forms/mfa.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, TextArea } from '../../components/ui/form.tsx'
import { Card, PageHeader } from '../../components/ui/page-parts.tsx'
import { realmAmong } from '../../lib/sign-in-paths.ts'
import { goOn, runForm } from '../../lib/submission.server.ts'
import {
  actorOf,
  findStepUp,
  getOrganization,
  getSession,
  type PageArgs,
  page,
} from '../../services.server.ts'
import { RealmPage } from '../../shared/frames/realm-page.tsx'
import { ConfirmButton } from '../../shared/sign-in/confirm-first.tsx'

export const meta = () => [{ title: 'Reset two-step sign-in · Sandpiper' }]
export const handle = { here: 'Two-step sign-in' }

/** Operations reset the MFA of anyone here, practice admins that of colleagues, an organization that of its members. */
async function getPerson(args: PageArgs) {
  const accountId = args.params.account ?? ''
  if (args.params.organization === undefined) {
    const realm = realmAmong(args.request, ['staff', 'practice'])
    const back = realm === 'practice' ? paths.practiceStaff : paths.staffMfaList
    return { accountId, session: await getSession(args, realm), back }
  }
  const { organization, session, mine } = await getOrganization(args)
  const { members } = await args.context.services.organizations.get(mine)
  // The reader may be allowed to reset other people's MFA, too.
  if (!members.some((member) => member.accountId === accountId)) throw data(null, { status: 404 })
  return { accountId, session, back: paths.organizationMembers(organization.slug) }
}

export const loader = page(async (args) => {
  const { accountId, session, back } = await getPerson(args)
  const person = await args.context.services.mfaAdmin.get(accountId, actorOf(args, session))
  return {
    person: { name: person.name, email: person.email, setUp: person.setUpAt !== null },
    stepUp: findStepUp(args, session),
    back,
  }
})

export const action = page(async (args) => {
  const { accountId, session, back } = await getPerson(args)
  return runForm(args.request, factorResetForm, async (value) => {
    await args.context.services.mfaAdmin.reset({ accountId, ...value }, actorOf(args, session))
    return goOn(back, 'second_step_reset')
  })
})

/** Removes a person's app and recovery codes, with a reason. */
export default function ResetMfa() {
  const { person, stepUp, back } = useLoaderData<typeof loader>()
  return (
    <RealmPage>
      <PageHeader title={`Reset the two-step sign-in of ${person.name}`}>
        <span className="breaks">{person.email}</span> <Link to={back}>Back to the list</Link>
      </PageHeader>
      {!person.setUp ? (
        <p className="card pad">This person has no two-step sign-in to reset.</p>
      ) : stepUp ? (
        <Card padded>
          <p>Resetting makes an account less secure, so confirm your own password first.</p>
          <ConfirmButton to={stepUp} />
        </Card>
      ) : (
        <ResetForm />
      )}
    </RealmPage>
  )
}

function ResetForm() {
  const { pathname } = useLocation()
  return (
    <ContractForm
      labels={{ reason: 'Reason' }}
      keepAs={`second step ${pathname}`}
      button="Reset two-step sign-in"
      busy="Resetting"
      look="danger"
    >
      <p>
        The authenticator app and all recovery codes stop working, every session ends, and the person gets an
        email with your name and reason. Until they set up a new app, the password alone signs in. Talk to
        them first.
      </p>
      <TextArea
        name="reason"
        hint="How you verified the person’s identity. The audit log stores it, and the person reads it."
        rows={3}
      />
    </ContractForm>
  )
}
