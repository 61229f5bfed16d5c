import { Link, useLoaderData } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import {
  FileText,
  Handshake,
  KeyRound,
  ShieldCheck,
  Timer,
  TriangleAlert,
  UserRoundCheck,
} from '../../components/ui/icons.ts'
import { Card, LinkButton, Tag } from '../../components/ui/page-parts.tsx'
import { Timeline } from '../../components/ui/timeline.tsx'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { useRoot } from '../../lib/root-data.ts'
import { page } from '../../services.server.ts'
import { PublicFrame } from '../../shared/frames/public-frame.tsx'
import { guidePath } from '../../shared/guides/guide-path.ts'
import { badgeWords } from '../../shared/status/status-words.ts'
import { ApiList } from './api-list.tsx'

export const meta = () => [
  { title: 'Healthcare APIs with a sandbox of synthetic patients · Sandpiper' },
  {
    name: 'description',
    content: 'Read your first synthetic chart in two minutes. No sales call. The documentation is public.',
  },
]

/** Most readers are new and have nothing cached, so the page loads only what it shows. */
export const handle = { still: true }

export const loader = page(async ({ context }) => ({
  base: sandboxBase(context),
  restOrigin: context.services.env.REST_ORIGIN,
  status: badgeWords(await context.services.status.page()),
}))

export default function Home() {
  const { base, restOrigin, status } = useLoaderData<typeof loader>()
  const { account } = useRoot()
  return (
    <PublicFrame>
      <div className="wrap hero">
        <div className="stack gap-5">
          <h1>Read your first chart in two minutes</h1>
          <p className="lead">
            Four APIs for medical records, and a sandbox full of synthetic patients to try them on. No sales
            call.
          </p>
          <div className="row">
            <LinkButton look="primary" size="lg" to={account ? paths.keys : paths.signUp}>
              Get a sandbox key
            </LinkButton>
            <LinkButton size="lg" to={paths.explorerOperation('listPatients')}>
              Try it without a key
            </LinkButton>
            <a className="btn plain lg" href="#what">
              See the APIs
            </a>
          </div>
          <p className="row small">
            <Tag
              tone={status.tone === 'turn' ? 'quiet' : status.tone}
              icon={status.tone === 'turn' ? TriangleAlert : undefined}
            >
              Platform: {status.words}
            </Tag>
            <a href={paths.status}>Status page</a>
          </p>
        </div>
        <FirstCall base={base} />
      </div>
      <section className="wrap sec" aria-labelledby="what">
        <div className="page-head">
          <div>
            <h2 id="what">The APIs</h2>
            <p>You can use all four with synthetic patients.</p>
          </div>
        </div>
        <ApiList restOrigin={restOrigin} />
      </section>
      <section className="wrap sec" aria-labelledby="live">
        <div className="page-head">
          <div>
            <h2 id="live">Going live</h2>
            <p>There are two separate tracks. You only need the one for your product.</p>
          </div>
        </div>
        <div className="grid g2">
          <article className="card pad stack">
            <h3>A FHIR app</h3>
            <p className="muted">
              Patients or a practice authorize your app to read their records. Free of charge.
            </p>
            <Timeline entries={fhirSteps} />
          </article>
          <article className="card pad stack">
            <h3>A production REST key</h3>
            <p className="muted">One practice sponsors your key. The key works for that practice only.</p>
            <Timeline entries={restSteps} />
          </article>
        </div>
      </section>
    </PublicFrame>
  )
}

const fhirSteps = [
  {
    key: 'register',
    icon: FileText,
    text: 'Register the app: your organization, its redirect URIs and its scopes',
  },
  { key: 'enable', icon: Timer, text: 'We enable it within five business days of a complete request' },
  { key: 'allow', icon: UserRoundCheck, text: 'The patient or the practice authorizes it' },
]

const restSteps = [
  { key: 'sponsor', icon: Handshake, text: 'The practice confirms that it sponsors your key' },
  { key: 'sign', icon: ShieldCheck, text: 'You sign the usage agreement, and both sides sign the BAA' },
  { key: 'claim', icon: KeyRound, text: 'We review the request, and you claim the key' },
]

/** The steps to a first call, with its command. */
function FirstCall({ base }: { base: string }) {
  const command = `BASE=${base}\ncurl "$BASE/patients?mrn=SYN-004217" -H "Authorization: Bearer $SVC_KEY"`
  return (
    <Card id="path" title="Your first call" aside={<span className="small muted">2 min</span>}>
      <div className="pad">
        <ol className="path">
          <Step at="0:00" title="Sign up with a work email">
            Open the link we email you.
          </Step>
          <Step at="0:40" title="Describe what you are building">
            Your organization, fifty characters, the sandbox terms.
          </Step>
          <Step at="1:20" title="Save your key">
            It is on the next page, once. We store only a hash of it.
          </Step>
          <li>
            <span className="t">1:45</span>
            <div className="stack tight">
              <b>Call</b>
              <CodeBlock label="Example request and response" bar="Terminal" copy={command}>
                <span className="p">$</span> BASE=<span className="s">{base}</span>
                {'\n'}
                <span className="p">$</span> curl <span className="s">"$BASE/patients?mrn=SYN-004217"</span> \
                {'\n'}
                {'    '}-H <span className="s">"Authorization: Bearer $SVC_KEY"</span>
                {'\n\n'}
                <Answer />
              </CodeBlock>
            </div>
          </li>
        </ol>
      </div>
      <footer>
        <Link to={guidePath('start')}>Your first call in two minutes</Link>, step by step
      </footer>
    </Card>
  )
}

function Step({ at, title, children }: { at: string; title: string; children: string }) {
  return (
    <li>
      <span className="t">{at}</span>
      <div>
        <b>{title}</b>
        <p className="muted">{children}</p>
      </div>
    </li>
  )
}

/** A pinned person of the template dataset (seed/cast.ts). Fields left out are drawn as dots. */
function Answer() {
  return (
    <>
      {'{ '}
      <K>data</K>
      {': [{\n    '}
      <K>id</K>: <S>pt-wren-testwell</S>
      {',\n    '}
      <K>mrn</K>: <S>SYN-004217</S>
      {',\n    '}
      <K>name</K>
      {': { '}
      <K>family</K>: <S>Testwell</S>
      {',\n              '}
      <K>given</K>: [<S>Wren</S>
      {'] },\n    '}
      <K>birthDate</K>: <S>1971-04-09</S>
      {', '}
      <span className="p">…</span>
      {' }], '}
      <span className="p">…</span>
      {' }'}
    </>
  )
}

const K = ({ children }: { children: string }) => <span className="k">"{children}"</span>
const S = ({ children }: { children: string }) => <span className="s">"{children}"</span>
