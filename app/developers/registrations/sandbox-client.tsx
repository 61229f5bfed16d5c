import { Link } from '@remix-run/react'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { Banner, Card, Facts } from '../../components/ui/page-parts.tsx'
import { guidePath } from '../../shared/guides/guide-path.ts'
import { OwnBase } from '../../shared/practice/own-base.tsx'

interface SandboxClientProps {
  clientId: string
  /** FHIR base of the organization's own sandbox. */
  base: string | null
  /** Where its secrets are made; null for an app without. */
  secrets: string | null
  audience: 'patient' | 'clinician' | 'backend'
  to: { app: string; token: string; signIns: string; launch: string }
}

/** The client that works now, the base it works at, and what to do with both. */
export function SandboxClient({ clientId, base, secrets, audience, to }: SandboxClientProps) {
  return (
    <Card id="sandbox-client" title="Ready in your sandbox" aside={<Link to={to.app}>Open app</Link>}>
      <Facts
        className="pad facts wide"
        of={{
          'Client ID': <CopyCode row text={clientId} label="Copy the sandbox client ID" />,
          'FHIR base URL': base && <OwnBase base={base} />,
          'Client secret': secrets && <Link to={secrets}>Sandbox secrets</Link>,
        }}
      />
      <ol className="pad stack tight steps border-t">
        {audience === 'backend' ? <BackendSteps to={to} /> : <PersonSteps to={to} audience={audience} />}
      </ol>
    </Card>
  )
}

type Steps = Pick<SandboxClientProps, 'to'>

function PersonSteps({ to, audience }: Steps & { audience: 'patient' | 'clinician' }) {
  return (
    <>
      <li>
        <Link to={to.signIns}>Choose a test person</Link>
        <span className="muted"> to sign in to your sandbox, with email and password</span>
      </li>
      <li>
        <Link to={to.token}>Get a token</Link>
        <span className="muted"> for five minutes, with the code for each step. </span>
        <Link to={guidePath(audience === 'patient' ? 'patient-app' : 'ehr-launch')}>The guide</Link>
        <span className="muted"> explains every step.</span>
      </li>
      <li>
        <Link to={to.launch}>Launch the app</Link>
        <span className="muted"> from a chart, a portal or directly, and see every step</span>
      </li>
    </>
  )
}

function BackendSteps({ to }: Steps) {
  return (
    <>
      <li>
        <Link to={`${to.app}#own-sandbox`}>Allow it in your sandbox</Link>
        <span className="muted"> with one switch, without a request</span>
      </li>
      <li>
        <Link to={to.token}>Get a token</Link>
        <span className="muted"> for five minutes, with the code for each step. </span>
        <Link to={guidePath('backend')}>The guide</Link>
        <span className="muted"> continues with a bulk export.</span>
      </li>
    </>
  )
}

/** Of a draft whose form can't be registered as it is: what to change, and what works meanwhile. */
export function SandboxFaults({
  findings,
  form,
  works,
}: {
  findings: readonly { field: string; reason: string }[]
  form: string
  /** An earlier version is registered. */
  works: boolean
}) {
  if (findings.length === 0) return null
  return (
    <Banner
      tone="turn"
      title={works ? 'Your sandbox client still uses an earlier version.' : 'Not in your sandbox yet.'}
    >
      {findings.map(({ field, reason }) => (
        <Link key={reason} className="block" to={`${form}#${field}`}>
          {reason}
        </Link>
      ))}
    </Banner>
  )
}
