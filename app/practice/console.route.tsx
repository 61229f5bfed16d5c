import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { ShieldCheck } from 'lucide-react'
import { pageOf, readPageAsk } from '../../server/contract/portal/paging.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import type { Services } from '../../server/services.ts'
import { Banner } from '../components/ui/banner.tsx'
import { LinkButton } from '../components/ui/button.tsx'
import { Card } from '../components/ui/card.tsx'
import { Cell, DataTable, Row } from '../components/ui/data-table.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'
import { ListSearch, Pager } from '../components/ui/list-tools.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { counted } from '../lib/dates.ts'
import { actorOf, getSession, page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { KeyData } from '../shared/keys/key-data.tsx'
import { levelWords, StateTag } from '../shared/production-keys/production-parts.tsx'
import { MfaBanner } from '../shared/sign-in/mfa-banner.tsx'
import { PracticeChooser } from './practice-chooser.tsx'

export const meta: MetaFunction = () => [{ title: 'Practice · Sandpiper' }]

/** Clinicians see no keys here: those are for who answers for the practice. */
export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'practice')
  const { practicePeople, practiceConsole, agreements, mfaFactors } = args.context.services
  const account = { name: session.account.name, email: session.account.email }
  const { recoveryCodesLeft } = await mfaFactors.find(session.accountId)
  const mfa = { state: session.mfaState, recoveryCodesLeft }
  const own = await practicePeople.listForAccount(session.accountId)
  const deciding = own.filter(({ roles }) => roles.some((role) => role !== 'clinician'))
  const asked = new URL(args.request.url).searchParams.get('practice')
  const practice = deciding.find(({ slug }) => slug === asked) ?? deciding[0]
  if (!practice) {
    return { account, mfa, practice: null, practices: [], admin: false, reach: null, agreements: [] }
  }
  const actor = actorOf(args, session)
  const [reach, listed] = await Promise.all([
    practiceConsole.read(practice.id, actor),
    agreements.listForPractice(practice.id),
  ])
  return {
    account,
    mfa,
    practice: { slug: practice.slug, name: practice.name },
    practices: deciding.map(({ slug, name }) => ({ slug, name })),
    admin: practice.roles.includes('admin'),
    reach: toPage(reach, new URL(args.request.url).searchParams),
    agreements: listed.map(({ id, kind, state, organization, expiresAt, waitsFor }) => ({
      id,
      kind,
      state,
      organizationName: organization.name,
      expiresAt,
      yours: waitsFor.includes('practice'),
    })),
  }
})

type Reach = Awaited<ReturnType<Services['practiceConsole']['read']>>

/** Two paged lists: everything that can reach the practice, in the table's order, and open requests. */
function toPage({ keys, otherKeys, systems, apps, waiting }: Reach, query: URLSearchParams) {
  const all = [
    ...keys.map((of) => ({ kind: 'key' as const, of })),
    ...otherKeys.map((of) => ({ kind: 'other' as const, of })),
    ...systems.map((of) => ({ kind: 'system' as const, of })),
    ...apps.map((of) => ({ kind: 'app' as const, of })),
  ]
  const counts = { keys: keys.length + otherKeys.length, systems: systems.length, apps: apps.length }
  const listed = pageOf(readPageAsk(query), all, ({ of }) => [of.name, of.organizationName])
  const waitingAsk = readPageAsk(query, { q: 'waiting-q', page: 'waiting-page' })
  return { counts, reaching: all.length, listed, first: waiting[0], waiting: pageOf(waitingAsk, waiting) }
}

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Page = NonNullable<Loaded['reach']>

export default function PracticeConsole() {
  const { account, mfa, practice, practices, admin, reach, agreements } = useLoaderData<typeof loader>()
  if (!practice || !reach) {
    return (
      <ConsoleFrame account={account} realm="practice">
        <PageHeader title="What can reach us">You are signed in for your practice.</PageHeader>
        <MfaBanner
          state={mfa.state}
          recoveryCodesLeft={mfa.recoveryCodesLeft}
          recoveryCodes={paths.practiceRecoveryCodes}
          others="Admins and signatories of their own"
        />
        <EmptyState icon={ShieldCheck} title="Keys are shown to who answers for the practice">
          Admins and signatories see here what can reach the practice. What you allowed yourself is under
          “Apps you allowed”.
        </EmptyState>
      </ConsoleFrame>
    )
  }
  const { counts, reaching, listed, first, waiting } = reach
  const toSign = agreements.filter(({ yours }) => yours)
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader title="What can reach us">
        Everything outside the office that can read or write the records of {practice.name}. Stop any of it
        here.
      </PageHeader>
      <MfaBanner
        state={mfa.state}
        recoveryCodesLeft={mfa.recoveryCodesLeft}
        recoveryCodes={paths.practiceRecoveryCodes}
        others="Admins and signatories of their own"
      />
      <PracticeChooser practice={practice} practices={practices} />
      {first && <FirstRequest of={first} more={waiting.total - 1} />}
      {!first && toSign[0] && (
        <Banner
          tone="turn"
          who="Your turn."
          title={`A document with ${toSign[0].organizationName} waits for a signature.`}
          action={
            <LinkButton look="primary" to={paths.practiceAgreement(toSign[0].id)}>
              Read it
            </LinkButton>
          }
        >
          Whoever it names for the practice signs it.
        </Banner>
      )}
      <Summary counts={counts} />
      {waiting.total > 1 && <WaitingCard waiting={waiting} />}
      {(listed.q !== '' || listed.pages > 1) && <ListSearch label="Name or organization" q={listed.q} />}
      {reaching > 0 && listed.total === 0 ? (
        <p className="muted">Nothing that reaches you matches “{listed.q}”.</p>
      ) : reaching === 0 ? (
        <EmptyState icon={ShieldCheck} title="Nothing can reach you yet">
          Developers ask a practice to sponsor a key; the request lands here, with who they are and why.
        </EmptyState>
      ) : (
        <ReachCard listed={listed} admin={admin} />
      )}
      <AgreementsCard agreements={agreements} />
    </ConsoleFrame>
  )
}

function FirstRequest({ of, more }: { of: NonNullable<Page['first']>; more: number }) {
  return (
    <Banner
      tone="turn"
      who="Your turn."
      title={
        of.renewal
          ? `${of.organizationName} asks to let a key go on.`
          : `${of.organizationName} asks you to sponsor a key.`
      }
      action={
        <LinkButton look="primary" to={paths.practiceSponsorship(of.requestId)}>
          Read the request
        </LinkButton>
      }
    >
      {levelWords[of.level]}: {of.name}. Answer by <Moment at={of.answerBy} />. If you do nothing,{' '}
      {of.renewal ? 'the key ends on its day' : 'the request ends and no key is made'}.
      {more > 0 && ` ${counted(more, 'more request')} below.`}
    </Banner>
  )
}

function Summary({ counts }: { counts: Page['counts'] }) {
  return (
    <section className="card three" aria-label="Summary">
      <div>
        <b>{counts.keys}</b>
        <span className="muted">REST keys</span>
      </div>
      <div>
        <b>{counts.systems}</b>
        <span className="muted">backend systems you granted</span>
      </div>
      <div>
        <b>{counts.apps}</b>
        <span className="muted">apps that people chose</span>
      </div>
    </section>
  )
}

function WaitingCard({ waiting }: { waiting: Page['waiting'] }) {
  return (
    <Card id="waiting" title="Waiting for you">
      <ul className="pad list">
        {waiting.rows.map((each) => (
          <li className="row between" key={each.requestId}>
            <Link to={paths.practiceSponsorship(each.requestId)}>
              {each.organizationName}: {each.name}
            </Link>
            <span className="small muted">
              by <Moment at={each.answerBy} />
            </span>
          </li>
        ))}
      </ul>
      <Pager label="requests" listed={waiting} name="waiting-page" />
    </Card>
  )
}

function ReachCard({ listed, admin }: { listed: Page['listed']; admin: boolean }) {
  const keys = listed.rows.flatMap((row) => (row.kind === 'key' ? [row.of] : []))
  const otherKeys = listed.rows.flatMap((row) => (row.kind === 'other' ? [row.of] : []))
  const systems = listed.rows.flatMap((row) => (row.kind === 'system' ? [row.of] : []))
  const apps = listed.rows.flatMap((row) => (row.kind === 'app' ? [row.of] : []))
  return (
    <Card id="reach" title="Keys and apps">
      <DataTable
        label="Keys and apps"
        heads={['Who', 'What it can do', 'Last seen', 'Calls, 30 days', 'Ends', 'Stop it']}
      >
        {keys.map((key) => (
          <KeyRow key={key.requestId} of={key} admin={admin} />
        ))}
        {otherKeys.map((key) => (
          <OtherKeyRow key={key.id} of={key} />
        ))}
        {systems.map((system) => (
          <SystemRow key={system.id} of={system} />
        ))}
        {apps.map((app) => (
          <AppRow key={`${app.clientId} ${app.audience}`} of={app} />
        ))}
      </DataTable>
      <Pager label="keys and apps" listed={listed} />
      <footer className="pad small muted">
        Suspend works on the next call. You can undo it. A patient’s own choice is theirs: you can see it, not
        end it.
      </footer>
    </Card>
  )
}

function KeyRow({ of: key, admin }: { of: Reach['keys'][number]; admin: boolean }) {
  return (
    <Row>
      <Cell>
        <Link className="label" to={paths.practiceSponsorship(key.requestId)}>
          {key.name}
        </Link>
        <span className="sub">{key.organizationName}, REST</span>
        {key.prefixes.map((prefix) => (
          <span className="sub" key={prefix}>
            <code>{prefix}…</code>
          </span>
        ))}
      </Cell>
      <Cell label="Can">
        {levelWords[key.level]}
        <KeyData of={key} />
      </Cell>
      <Cell label="Last seen">{key.lastUsedAt ? <Moment at={key.lastUsedAt} /> : 'Never'}</Cell>
      <Cell label="Calls, 30 days">
        {key.served.toLocaleString('en-US')}
        {key.refused > 0 && <span className="sub">{key.refused.toLocaleString('en-US')} refused</span>}
      </Cell>
      <Cell label="Ends">
        {key.expiresAt && <Moment at={key.expiresAt} />}
        <span className="sub">
          <StateTag state={key.state} />
        </span>
      </Cell>
      <Cell>
        {admin && (
          <LinkButton size="sm" look="danger" to={`${paths.practiceSponsorship(key.requestId)}#stop`}>
            Suspend or revoke<span className="sr"> {key.name}</span>
          </LinkButton>
        )}
      </Cell>
    </Row>
  )
}

function OtherKeyRow({ of: key }: { of: Reach['otherKeys'][number] }) {
  return (
    <Row>
      <Cell>
        <span className="label">{key.name}</span>
        <span className="sub">{key.organizationName}, REST</span>
        <span className="sub">
          <code>{key.prefix}…</code>
        </span>
      </Cell>
      <Cell label="Can">{levelWords[key.level]}</Cell>
      <Cell label="Last seen">{key.lastUsedAt ? <Moment at={key.lastUsedAt} /> : 'Never'}</Cell>
      <Cell label="Calls, 30 days">Not counted</Cell>
      <Cell label="Ends">
        <Moment at={key.expiresAt} />
      </Cell>
      <Cell>Write to us</Cell>
    </Row>
  )
}

function SystemRow({ of: system }: { of: Reach['systems'][number] }) {
  return (
    <Row>
      <Cell>
        <span className="label">{system.name}</span>
        <span className="sub">{system.organizationName}, backend</span>
      </Cell>
      <Cell label="Can">{system.purpose}</Cell>
      <Cell label="Last seen">{system.lastUsedAt ? <Moment at={system.lastUsedAt} /> : 'Never'}</Cell>
      <Cell label="Calls, 30 days">In the audit</Cell>
      <Cell label="Ends">When you end it</Cell>
      <Cell>
        <Link to={paths.practiceSystems}>Backend systems</Link>
      </Cell>
    </Row>
  )
}

function AppRow({ of: app }: { of: Reach['apps'][number] }) {
  return (
    <Row>
      <Cell>
        <span className="label">{app.name}</span>
        <span className="sub">
          {app.organizationName}, chosen by {counted(app.people, app.audience)}
        </span>
      </Cell>
      <Cell label="Can">Read what each of them allowed</Cell>
      <Cell label="Last seen">In the audit</Cell>
      <Cell label="Calls, 30 days">In the audit</Cell>
      <Cell label="Ends">Each decides</Cell>
      <Cell>Theirs to end</Cell>
    </Row>
  )
}

function AgreementsCard({ agreements }: Pick<Loaded, 'agreements'>) {
  return (
    <Card
      id="agreements"
      title="Agreements behind the keys"
      aside={
        <Link className="small" to={paths.practiceAgreements}>
          All documents
        </Link>
      }
    >
      <ul className="pad list">
        {agreements.length === 0 && <li className="muted">None yet.</li>}
        {agreements.slice(0, 10).map((agreement) => (
          <li className="row between" key={agreement.id}>
            <Link to={paths.practiceAgreement(agreement.id)}>
              {agreement.kind === 'baa' ? 'BAA' : 'Usage agreement'} with {agreement.organizationName}
            </Link>
            <span className="small muted">
              {agreement.expiresAt ? (
                <>
                  ends <Moment at={agreement.expiresAt} as="deadline" />
                </>
              ) : (
                agreement.state.replaceAll('_', ' ')
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
