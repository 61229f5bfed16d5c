import { Form, Link, useActionData, useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import {
  isSandboxChangeKind,
  type SandboxChangeKind,
  sandboxChanges,
  sandboxLimits,
} from '../../../server/contract/lab/sandbox-changes.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CopyCode } from '../../components/ui/copy-button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { FlaskConical } from '../../components/ui/icons.ts'
import {
  Banner,
  Card,
  EmptyState,
  Facts,
  LinkButton,
  Moment,
  PageHeader,
  SubmitButton,
} from '../../components/ui/page-parts.tsx'
import { counted } from '../../lib/dates.ts'
import { goOn, readFields, refusalOf } from '../../lib/submission.server.ts'
import { page } from '../../services.server.ts'
import { guidePath } from '../../shared/guides/guide-path.ts'
import { OwnVariables } from '../../shared/practice/own-base.tsx'
import { basesOf, getLab } from './sandbox.server.ts'
import { SandboxChangeList } from './sandbox-change-list.tsx'

export const meta = () => [{ title: 'Sandbox · Sandpiper' }]
export const handle = { here: 'Test' }

export const loader = page(async (args) => {
  const { organization, asker, sandbox } = await getLab(args)
  const overview = await sandbox.overview.get(asker)
  const change = new URL(args.request.url).searchParams.get('confirm') ?? ''
  return {
    self: paths.sandbox(organization.slug),
    keys: paths.organizationKeys(organization.slug),
    overview,
    bases: overview && basesOf(args.context, overview.slug),
    confirm: overview && !overview.shared && isSandboxChangeKind(change) ? change : null,
    // The request's id, so that a button pressed twice makes one request.
    request: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { organization, asker, actor, sandbox } = await getLab(args)
  const self = paths.sandbox(organization.slug)
  const fields = await readFields(args.request)
  const kind = String(fields.get('intent') ?? '')
  if (kind === 'open') {
    await sandbox.overview.open(asker)
    return goOn(self, 'sandbox_opened')
  }
  if (!isSandboxChangeKind(kind)) return redirect(self)
  const requestId = String(fields.get('request') ?? '')
  try {
    await sandbox.changes.ask({ organizationId: organization.id, requestId, kind }, actor)
  } catch (thrown) {
    return refusalOf(thrown)
  }
  return goOn(self, 'sandbox_change_asked')
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Overview = NonNullable<Loaded['overview']>

export default function Sandbox() {
  const loaded = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  const { overview, bases, confirm, request, self, keys } = loaded
  if (overview === null || bases === null) return <NoSandbox />
  return (
    <div className="page">
      <PageHeader title={overview.name}>
        Your own practice with synthetic people.{' '}
        <Link to={guidePath('sandbox-people')}>About these people</Link>
      </PageHeader>
      {wrong && <Banner tone="bad" title={wrong} />}
      {confirm && <Confirm kind={confirm} request={request} self={self} overview={overview} />}
      <SandboxFacts overview={overview} bases={bases} />
      <OwnVariables {...bases} />
      <Data overview={overview} keys={keys} />
      {overview.changes.length > 0 && <SandboxChangeList changes={overview.changes} self={self} />}
    </div>
  )
}

function NoSandbox() {
  return (
    <div className="page">
      <PageHeader title="Sandbox">Your own practice with synthetic people.</PageHeader>
      <EmptyState
        icon={FlaskConical}
        title="Your sandbox isn’t set up yet"
        action={
          <Form method="post">
            <SubmitButton name="intent" value="open" busy="Opening">
              Open the sandbox
            </SubmitButton>
          </Form>
        }
      >
        Every organization has a practice for testing. It is created with your first key or app, or now. It
        has the same people and IDs as the documentation.
      </EmptyState>
    </div>
  )
}

function SandboxFacts({ overview, bases }: { overview: Overview; bases: { fhir: string; rest: string } }) {
  const copied = (label: string, text: string) => <CopyCode row text={text} label={`Copy the ${label}`} />
  const { people, resources, slug } = overview
  return (
    <section className="card" aria-label="The sandbox">
      <Facts
        boxes
        className="pad key-facts"
        of={{
          'Practice ID': copied('Practice ID', slug),
          'FHIR base URL': copied('FHIR base URL', bases.fhir),
          'REST base URL': copied('REST base URL', bases.rest),
          Contains: `${people === 1 ? '1 person' : `${people.toLocaleString('en-US')} people`}, ${counted(resources, 'resource')}`,
        }}
      />
    </section>
  )
}

const order: readonly SandboxChangeKind[] = ['reset', 'save', 'restore']

function Data({ overview, keys }: { overview: Overview; keys: string }) {
  const { shared, snapshot } = overview
  const busy = overview.changes.some(({ state }) => state === 'running')
  return (
    <Card id="data" title="Data">
      <div className="pad stack">
        {shared ? (
          <p>
            Original sample data, unchanged. It is read-only until you get your first{' '}
            <Link to={keys}>full key</Link>, which comes with a copy you can change, reset and save.
          </p>
        ) : (
          <>
            <p className="muted read">
              IDs, keys, apps and authorizations stay the same. Requests keep working, with either the old
              data or the new, never a mix. Old next links return 400. Start again with the first page.
            </p>
            <p>
              {snapshot ? (
                <>
                  The snapshot was saved on <Moment at={snapshot.savedAt} />,{' '}
                  {counted(snapshot.resources, 'resource')}.
                </>
              ) : (
                'There is no snapshot. Save one before a test that writes, then restore it afterwards.'
              )}
            </p>
            {busy ? (
              <p className="muted">
                A change is in progress, see below. The buttons return when it has finished.
              </p>
            ) : (
              <div className="row">
                {order
                  .filter((kind) => kind !== 'restore' || snapshot !== null)
                  .map((kind) => (
                    <LinkButton
                      key={kind}
                      to={`?confirm=${kind}`}
                      look={kind === 'save' ? 'outline' : 'danger'}
                      preventScrollReset
                    >
                      {sandboxChanges[kind].title}
                    </LinkButton>
                  ))}
              </div>
            )}
          </>
        )}
      </div>
      <footer>{sandboxLimits.changesPerHour} resets, snapshots and restores per hour. One snapshot.</footer>
    </Card>
  )
}

type ConfirmProps = { kind: SandboxChangeKind; request: string; self: string; overview: Overview }

function Confirm({ kind, request, self, overview }: ConfirmProps) {
  const { title, does } = sandboxChanges[kind]
  const loses = kind === 'save' ? overview.snapshot !== null : true
  return (
    <Dialog
      title={`${title}?`}
      description={does}
      footer={
        <Form method="post" action={self} className="row">
          <input type="hidden" name="request" value={request} />
          <SubmitButton name="intent" value={kind} look={loses ? 'danger' : 'primary'} busy="Starting">
            {title}
          </SubmitButton>
          <LinkButton look="plain" to={self}>
            Cancel
          </LinkButton>
        </Form>
      }
    />
  )
}
