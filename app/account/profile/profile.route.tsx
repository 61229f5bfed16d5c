import { Form, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { changePasswordForm } from '../../../server/contract/forms/account.ts'
import { passwordLength } from '../../../server/contract/portal/password-rules.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { Card, Facts, LinkButton, Moment, PageHeader, SubmitButton } from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { doneCookie } from '../../lib/flash.ts'
import { useRoot } from '../../lib/root-data.ts'
import { confirmPath } from '../../lib/sign-in-paths.ts'
import { refuse, refuseForNow, runForm } from '../../lib/submission.server.ts'
import { themes } from '../../lib/theme.ts'
import { getSession, page, visitorOf } from '../../services.server.ts'

export const meta = () => [{ title: 'Account · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'developer')
  const { account, accountId, createdAt, authenticatedAt } = session
  const { accounts, mfaFactors } = args.context.services
  const change = await accounts.findEmailChange(accountId)
  return {
    mfa: { state: session.mfaState, ...(await mfaFactors.find(accountId)) },
    pendingEmail: change?.email ?? null,
    name: account.name,
    email: account.email,
    emailVerifiedAt: account.emailVerifiedAt,
    signedInAt: createdAt,
    authenticatedAt,
  }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'developer')
  return runForm(args.request, changePasswordForm, async (value, submission) => {
    const answer = await args.context.services.accounts.changePassword({ session, ...value }, visitorOf(args))
    if (answer.kind === 'refused') {
      return refuse(submission, { fields: { currentPassword: 'This password is not correct.' }, status: 401 })
    }
    if (answer.kind !== 'changed') return refuseForNow(submission, answer)
    const headers = new Headers({ 'set-cookie': doneCookie('password_changed') })
    headers.append('set-cookie', answer.cookie)
    return redirect(paths.account, { headers })
  })
})

export default function Profile() {
  const you = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <PageHeader title="Account" action={<LinkButton to={paths.sessions}>See your sessions</LinkButton>}>
        Your name, your sign-in and your preferences.
      </PageHeader>
      <div className="grid g2">
        <Card id="who" title="You" aside={<LinkButton to={paths.changeEmail}>Change address</LinkButton>}>
          <Facts
            className="pad facts wide"
            of={{
              Name: you.name,
              'Work email': you.email,
              'New email': you.pendingEmail && (
                <>
                  {you.pendingEmail} <span className="small muted">not confirmed yet</span>
                </>
              ),
              Confirmed: you.emailVerifiedAt && <Moment at={you.emailVerifiedAt} as="date" />,
              'Signed in': <Moment at={you.signedInAt} />,
            }}
          />
        </Card>
        <div className="stack">
          <MfaCard {...you.mfa} />
          <ThemeCard />
        </div>
      </div>
      {/* A new form after the password was accepted, so its fields are empty. */}
      <PasswordCard key={Number(you.authenticatedAt)} />
    </div>
  )
}

interface MfaProps {
  state: 'not_asked' | 'not_set_up' | 'needed' | 'given'
  enrolled: boolean
  recoveryCodesLeft: number
}

function MfaCard({ state, enrolled, recoveryCodesLeft }: MfaProps) {
  const setUp = confirmPath(paths.mfa, paths.account)
  return (
    <Card
      id="second-step"
      title="Two-step sign-in"
      aside={
        enrolled ? (
          <LinkButton to={paths.recoveryCodes}>Create new codes</LinkButton>
        ) : (
          state === 'not_set_up' && <LinkButton to={setUp}>Set up</LinkButton>
        )
      }
    >
      <p className="pad">
        {state === 'not_asked'
          ? 'A published demonstration sign-in can’t use two-step sign-in.'
          : enrolled
            ? `Set up. You have ${counted(recoveryCodesLeft, 'recovery code')} left in case you lose your authenticator app.`
            : 'Not set up. You need it to submit apps, change members’ roles and work with production keys. The sandbox doesn’t need it.'}
      </p>
    </Card>
  )
}

const themeNames = { system: 'System default', light: 'Light', dark: 'Dark' }

function ThemeCard() {
  const { theme } = useRoot()
  return (
    <Card id="theme" title="Theme">
      {/* Reloads the whole page, because the server renders the choice. */}
      <Form method="post" action="/theme" reloadDocument className="pad stack">
        <input type="hidden" name="back" value={paths.account} />
        <fieldset className="choices">
          <legend className="sr">Theme</legend>
          {themes.map((each) => (
            <label className="check" key={each}>
              <input type="radio" name="theme" value={each} defaultChecked={each === theme} />
              <span>{themeNames[each]}</span>
            </label>
          ))}
        </fieldset>
        <SubmitButton look="outline">Use theme</SubmitButton>
      </Form>
    </Card>
  )
}

function PasswordCard() {
  const labels = { currentPassword: 'Current password', newPassword: 'New password' }
  return (
    <Card id="password" title="Change your password">
      <ContractForm
        labels={labels}
        button="Change password"
        busy="Saving"
        look="outline"
        className="pad stack read"
      >
        <Field name="currentPassword" type="password" autoComplete="current-password" />
        <Field
          name="newPassword"
          type="password"
          autoComplete="new-password"
          hint={`Use at least ${passwordLength.min} characters. Your other sessions end.`}
        />
      </ContractForm>
    </Card>
  )
}
