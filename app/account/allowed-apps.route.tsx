/** The apps that the signed-in person allowed; the same page for patients and for people of a practice. */
import { Form, useLoaderData } from '@remix-run/react'
import { describeScopes } from '../../server/contract/smart/scope-labels.ts'
import { ShieldCheck } from '../components/ui/icons.ts'
import { Button, EmptyState, Moment, PageHeader } from '../components/ui/page-parts.tsx'
import { realmAmong } from '../lib/sign-in-paths.ts'
import { goOn, readFields } from '../lib/submission.server.ts'
import { actorOf, getSession, here, type PageArgs, page, unlessUnavailable } from '../services.server.ts'
import { toGroupReads, toReads } from '../shared/consent/consent-view.ts'

export const meta = () => [{ title: 'Apps you allowed · Sandpiper' }]
export const handle = { here: 'Apps you allowed' }

/** A clinician who opens an app for every patient has hundreds. */
const recordsMax = 20

const getPerson = async (args: PageArgs) =>
  actorOf(args, await getSession(args, realmAmong(args.request, ['patient', 'practice'])))

export const loader = page(async (args) => {
  const actor = await getPerson(args)
  const { grants, namePatients, lastReads } = args.context.services
  const all = await grants.listForAccount(actor.accountId)
  const apps = all.map((app) => ({
    ...app,
    records: app.records.slice(0, recordsMax),
    /** The number of patients beyond those in `records`. */
    otherRecords: Math.max(0, app.records.length - recordsMax),
  }))
  const nameOf = await namePatients(apps, actor)
  // Six years may take longer than the page. An app can be stopped without them.
  const lastReadOf = await unlessUnavailable(() => lastReads(apps, actor))
  return {
    apps: apps.map((app) => ({
      ...app,
      records: app.records.map((record) => {
        const { patientId, scopes } = record
        return {
          aboutOnePerson: patientId !== null,
          /** Null if it is about no single patient, or about one that the reader may no longer see. */
          personName: patientId === null ? null : nameOf({ practiceId: app.practice.id, patientId }),
          beyondOnePerson: describeScopes(scopes, 'other').beyondOnePerson,
          ...toGroupReads(scopes),
          types: toReads(scopes),
          lastReadAt: lastReadOf ? lastReadOf(record) : ('unavailable' as const),
        }
      }),
    })),
  }
})

export const action = page(async (args) => {
  const actor = await getPerson(args)
  const grantId = String((await readFields(args.request)).get('grant') ?? '')
  await args.context.services.grants.revoke(grantId, actor)
  return goOn(here(args.request), 'app_stopped')
})

type AllowedApp = Awaited<ReturnType<typeof loader>>['apps'][number]

/** “Apps you allowed”: each app with what it reads, and the button that ends it. */
export default function AllowedApps() {
  const { apps } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Apps you allowed">
        These apps can read records with your consent. When you stop an app, its next request is refused, on
        all your devices. It keeps what it has already read.
      </PageHeader>
      {apps.length === 0 ? (
        <EmptyState icon={ShieldCheck} title="No app has access">
          An app must ask you before it reads anything. Connect an app from the app itself. It is then listed
          here until its access ends or you stop it.
        </EmptyState>
      ) : (
        apps.map((app) => <App key={app.grantId} app={app} />)
      )}
    </>
  )
}

function App({ app }: { app: AllowedApp }) {
  const names = app.records.flatMap(({ personName }) => personName ?? [])
  return (
    <section className="card" aria-labelledby={`app-${app.grantId}`}>
      <div className="head">
        <div>
          <h2 id={`app-${app.grantId}`}>{app.client.name}</h2>
          <p className="small muted">
            by {app.client.organizationName ?? 'Sandpiper, as a sample'}, at {app.practice.name}
          </p>
        </div>
        <Form method="post">
          <input type="hidden" name="grant" value={app.grantId} />
          <Button type="submit" look="danger">
            Stop
            <span className="sr">
              {' '}
              {app.client.name}
              {app.records.length === 1 && names[0] && ` for ${names[0]}`}
            </span>
          </Button>
        </Form>
      </div>
      <dl className="pad facts wide">
        {app.records.map((record, at) => (
          // The order never changes.
          // biome-ignore lint/suspicious/noArrayIndexKey: a record has no other name here
          <RecordFacts key={at} record={record} lastUsedAt={app.lastUsedAt} />
        ))}
        {app.otherRecords > 0 && (
          <>
            <dt>Other records</dt>
            <dd>{app.otherRecords} more patients</dd>
          </>
        )}
        <dt>Allowed</dt>
        <dd>
          <Moment at={app.grantedAt} />
          {app.firstGrantedAt && (
            <>
              , first on <Moment at={app.firstGrantedAt} />
            </>
          )}
        </dd>
        <dt>Ends</dt>
        <dd>
          {app.endsAt && <Moment at={app.endsAt} />}
          {app.offline && ', or later if it’s used before then'}
        </dd>
      </dl>
    </section>
  )
}

interface RecordFactsProps {
  record: AllowedApp['records'][number]
  /** When its app last got a token. */
  lastUsedAt: Date | null
}

function RecordFacts({ record, lastUsedAt }: RecordFactsProps) {
  const { aboutOnePerson, beyondOnePerson, personName, reads, leftOut, types } = record
  const about = aboutOnePerson ? (personName ?? 'Someone you no longer act for') : null
  const lastAccess = aboutOnePerson ? record.lastReadAt : lastUsedAt
  return (
    <>
      <dt>Record</dt>
      <dd>
        {about}
        {about && beyondOnePerson && '; also '}
        {beyondOnePerson && (about ? 'what you can read of other patients' : 'What you can read')}
        {!about && !beyondOnePerson && 'None'}
      </dd>
      <dt>Last access</dt>
      <dd>
        {lastAccess === 'unavailable' ? (
          'Not available right now'
        ) : lastAccess ? (
          <Moment at={lastAccess} />
        ) : (
          'Never'
        )}
      </dd>
      <dt>Can read</dt>
      <dd>
        {reads.length === 0 ? 'Only who you are' : reads.join(' · ')}
        {types.length > 0 && (
          <details className="small">
            <summary>In detail</summary>
            <p className="muted">{types.join(' · ')}</p>
          </details>
        )}
      </dd>
      {reads.length > 0 && leftOut.length > 0 && (
        <>
          <dt>Can’t read</dt>
          <dd>{leftOut.join(' · ')}</dd>
        </>
      )}
    </>
  )
}
