import { Link, useLocation } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { here, page } from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'
import { signIn, skipSignedIn } from '../../shared/sign-in/sign-in.server.ts'
import { SignInForm } from '../../shared/sign-in/sign-in-form.tsx'

/** Each realm has its sign-in page. `first` is where it leads. */
const signInPages = {
  developer: {
    title: 'Sign in',
    lead: 'For developers.',
    email: 'Work email',
    first: paths.developers,
    after: (
      <>
        <p>
          <Link to={paths.forgotPassword}>Forgot your password?</Link>
        </p>
        <p>
          No account yet? <Link to={paths.signUp}>Sign up</Link>. No link in your email?{' '}
          <Link to="/verify-email/again">Send it again</Link>
        </p>
      </>
    ),
  },
  staff: {
    title: 'Staff sign-in',
    lead: 'For reviewers and operations.',
    email: 'Email',
    first: paths.reviewQueue,
    after: <p>Operators create staff accounts. Ask the person who runs this service.</p>,
  },
  practice: {
    title: 'Practice sign-in',
    lead: 'For administrators, signatories and clinicians of a practice.',
    email: 'Email',
    first: paths.practice,
    after: (
      <p>
        You need an invitation from your practice’s admin. The first admin of a new practice is invited by
        email when the practice is added.
      </p>
    ),
  },
  patient: {
    title: 'Patient sign-in',
    lead: 'See which apps can read your record, and stop them.',
    email: 'Email',
    first: paths.patientApps,
    after: <p>Your practice creates your account. All patients in the sandbox are synthetic.</p>,
  },
}

function realmAt(path: string): keyof typeof signInPages {
  const [, first] = path.split('/')
  return first === 'staff' || first === 'practice' || first === 'patient' ? first : 'developer'
}

export const meta = ({ location }: { location: { pathname: string } }) => [
  { title: `${signInPages[realmAt(location.pathname)].title} · Sandpiper` },
]

export const loader = page((args) => {
  const realm = realmAt(here(args.request))
  return skipSignedIn(args, realm, signInPages[realm].first)
})

export const action = page((args) => {
  const realm = realmAt(here(args.request))
  return signIn(args, realm, signInPages[realm].first)
})

export default function SignIn() {
  const { title, lead, email, after } = signInPages[realmAt(useLocation().pathname)]
  return (
    <Gate title={title} lead={lead} after={after}>
      <SignInForm emailLabel={email} />
    </Gate>
  )
}
