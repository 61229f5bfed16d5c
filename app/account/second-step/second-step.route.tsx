/** MFA for a sign-in or a step-up, or its set-up, in every realm. The URL says which realm. */
import { Form, useActionData, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import encodeQR from 'qr'
import { enrolmentForm, mfaForm } from '../../../server/contract/forms/mfa.ts'
import { findMissingProof } from '../../../server/contract/portal/step-up.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { ContractForm, Field } from '../../components/ui/form.tsx'
import { Card } from '../../components/ui/page-parts.tsx'
import { safeRedirect } from '../../lib/safe-redirect.ts'
import { confirmPath, type ProofRealm, proofPaths, realmOf } from '../../lib/sign-in-paths.ts'
import { readForm, refuse, refuseForNow } from '../../lib/submission.server.ts'
import {
  actorOf,
  findSession,
  getSession,
  here,
  type PageArgs,
  page,
  setCookie,
  visitorOf,
} from '../../services.server.ts'
import { Gate } from '../../shared/frames/gate.tsx'
import { RecoveryCodes } from './recovery-code-list.tsx'

export const meta = () => [{ title: 'Two-step sign-in · Sandpiper' }]

const nextOf = (request: Request) =>
  safeRedirect(new URL(request.url).searchParams.get('next'), proofPaths[realmOf(request)].first)

/** The session that needs MFA now. @throws a redirect if there is none, or nothing to do */
async function getSessionToProve(args: PageArgs) {
  const { request, context } = args
  const realm = realmOf(request)
  const session = await findSession(args, realm)
  if (session?.mfaState === 'needed') return session
  const signedIn = await getSession(args, realm)
  const missing = findMissingProof(actorOf(args, signedIn), context.services.clock())
  if (missing === null) throw redirect(nextOf(request))
  if (missing === 'password') throw redirect(confirmPath(proofPaths[realm].confirmPassword, here(request)))
  return signedIn
}

export const loader = page(async (args) => {
  const session = await getSessionToProve(args)
  const { mfaFactors } = args.context.services
  const { enrolled } = await mfaFactors.find(session.accountId)
  const shown = { realm: realmOf(args.request), email: session.account.email }
  if (enrolled) return { ...shown, enrolment: null }
  const { uri, typed } = await mfaFactors.beginEnrolment(session)
  return { ...shown, enrolment: { typed, qr: toQrPath(uri) } }
})

export const action = page(async (args) => {
  const session = await getSessionToProve(args)
  const { mfaFactors } = args.context.services
  const { enrolled } = await mfaFactors.find(session.accountId)
  const wrong = {
    fields: { code: 'This code is not valid. Wait for the next one and try again.' },
    status: 401,
  }
  if (enrolled) {
    const submission = await readForm(args.request, mfaForm)
    if (submission.status !== 'success') return refuse(submission)
    const answer = await mfaFactors.verify({ session, typed: submission.value.code }, visitorOf(args))
    if (answer.kind === 'refused') return refuse(submission, wrong)
    if (answer.kind !== 'verified') return refuseForNow(submission, answer)
    return redirect(nextOf(args.request), { headers: { 'set-cookie': answer.cookie } })
  }
  const submission = await readForm(args.request, enrolmentForm)
  if (submission.status !== 'success') return refuse(submission)
  const answer = await mfaFactors.confirmEnrolment({ session, ...submission.value }, visitorOf(args))
  if (answer.kind === 'refused') return refuse(submission, wrong)
  if (answer.kind !== 'enrolled') return refuseForNow(submission, answer)
  setCookie(args.context, answer.cookie)
  const { recoveryCodes } = answer
  return data({ recoveryCodes, next: nextOf(args.request) }, { headers: { 'cache-control': 'no-store' } })
})

export default function Mfa() {
  const { realm, email, enrolment } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>()
  if (answer && 'recoveryCodes' in answer)
    return (
      <RecoveryCodes codes={answer.recoveryCodes} next={answer.next} lead="Two-step sign-in is set up." />
    )
  return enrolment ? <SetUp realm={realm} email={email} {...enrolment} /> : <GiveCode realm={realm} />
}

const whyAsked: Readonly<Record<ProofRealm, string>> = {
  staff:
    'Staff sign in with a password and a code from an authenticator app. Set up the app now and use it at every sign-in.',
  practice:
    'Admins and signatories of a practice sign in with a password and a code from an authenticator app. Set up the app now and use it at every sign-in.',
  developer:
    'Actions that bind your organization need a code as well as your password. Set up an authenticator app now and use it at every sign-in.',
}

function GiveCode({ realm }: { realm: ProofRealm }) {
  return (
    <Gate title="Two-step sign-in" lead="Open your authenticator app." after={<SignOut realm={realm} />}>
      <ContractForm labels={{ code: 'Code' }} button="Continue" wide reloadDocument>
        <Field
          name="code"
          hint="Enter the six digits from the app. If you don’t have the app, enter a recovery code."
          autoComplete="one-time-code"
          spellCheck={false}
          mono
        />
      </ContractForm>
    </Gate>
  )
}

interface SetUpProps {
  realm: ProofRealm
  email: string
  typed: string
  qr: { path: string; size: number }
}

function SetUp({ realm, email, typed, qr }: SetUpProps) {
  return (
    <Gate title="Set up two-step sign-in" lead={whyAsked[realm]} after={<SignOut realm={realm} />} wide>
      <Card padded>
        <p>
          <b>1.</b> Scan this code with your authenticator app, or enter the key manually.
        </p>
        <QrCode {...qr} label={`QR code to add ${email} to an authenticator app`} />
        <CodeBlock label="Setup key" bar={email} copy={typed} wrapped>
          {typed.match(/.{1,4}/g)?.join(' ')}
        </CodeBlock>
        <ContractForm labels={{ code: 'Code' }} button="Finish setup" wide reloadDocument className="stack">
          <p>
            <b>2.</b> Enter the code that the app shows now.
          </p>
          <Field
            name="code"
            hint="Six digits"
            autoComplete="one-time-code"
            inputMode="numeric"
            spellCheck={false}
            mono
          />
        </ContractForm>
      </Card>
    </Gate>
  )
}

function SignOut({ realm }: { realm: ProofRealm }) {
  return (
    <Form method="post" action="/sign-out">
      <input type="hidden" name="realm" value={realm} />
      <button className="link" type="submit">
        Sign out
      </button>
    </Form>
  )
}

interface QrCodeProps {
  /** An SVG path over a square with this many modules on each side. */
  path: string
  size: number
  label: string
}

/** Dark on light in every theme, because cameras expect it. */
function QrCode({ path, size, label }: QrCodeProps) {
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className="ground" d={`M0 0h${size}v${size}h-${size}z`} />
      <path className="dots" d={path} />
    </svg>
  )
}

/** An SVG path, with the margin of light modules that scanners need. */
function toQrPath(text: string): { path: string; size: number } {
  const rows = encodeQR(text, 'raw', { border: 4 })
  const path = rows
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return { path, size: rows.length }
}
