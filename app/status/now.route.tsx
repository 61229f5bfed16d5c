import { useLoaderData } from '@remix-run/react'
import { data, type LinksFunction } from '@remix-run/server-runtime'
import { paths } from '../../server/contract/portal/paths.ts'
import { type ComponentId, components } from '../../server/contract/status/components.ts'
import { type HistoryDay, historyDays, settlingWords } from '../../server/contract/status/history.ts'
import { Card, Moment, PageHeader } from '../components/ui/page-parts.tsx'
import { counted } from '../lib/dates.ts'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { StateTag, stateWords } from '../shared/status/state-tag.tsx'
import { OpenIncident, PastIncident } from '../shared/status/status-incident.tsx'
import { headline, isUnchecked, leadOf, noPastWords } from '../shared/status/status-words.ts'
import { PracticeLookUp } from './practice-look-up.tsx'
import { DatabaseAway, SampleHistory } from './record-notes.tsx'
import { BarKey, dayWords, StatusBars, workedWords } from './status-bars.tsx'

export const meta = () => [
  { title: 'Status · Sandpiper' },
  { name: 'description', content: 'Current platform status and the last 90 days.' },
]

export const links: LinksFunction = () => [
  { rel: 'alternate', type: 'application/rss+xml', title: 'Incidents', href: paths.statusRss },
  { rel: 'alternate', type: 'application/feed+json', title: 'Incidents', href: paths.statusJson },
  { rel: 'alternate', type: 'text/markdown', href: paths.statusMarkdown },
]

/** Not hydrated by React, so every link loads a new page. */
export const handle = { still: true }

const pastShown = 3
/** The bars on a narrow screen. The file status.css hides the others. */
const narrowDays = 30

export const loader = page(async ({ request, context }) => {
  const { status, env } = context.services
  const { past, ...snapshot } = await status.page()
  const practice = new URL(request.url).searchParams.get('practice')
  const answer = practice === null ? null : await status.lookUp(practice.trim(), { ip: context.clientIp })
  const shown = {
    ...snapshot,
    past: past.slice(0, pastShown),
    asked: practice?.slice(0, 200) ?? '',
    answer,
    // Subscriptions by email continue at the portal's origin, even from the status page's own host.
    subscribe: env.PUBLIC_ORIGIN + paths.subscribeToStatus,
  }
  switch (answer?.kind) {
    case 'rate_limited':
      return data(shown, { status: 429, headers: { 'retry-after': `${answer.retryAfterSeconds}` } })
    case 'unavailable':
      return data(shown, { status: 503, headers: { 'retry-after': '30' } })
    case 'invalid':
      return data(shown, { status: 400 })
    default:
      return data(shown)
  }
})

export default function StatusNow() {
  const shown = useLoaderData<typeof loader>()
  const { platform, open, past, reachable, recordsAt, sampleDataUntil } = shown
  return (
    <PublicFrame plain>
      <div className="wrap st">
        <PageHeader
          title={headline(shown)}
          action={
            <div className="row">
              <Feeds className="wide-only" />
              <a className="btn" href={shown.subscribe}>
                Get status emails
              </a>
            </div>
          }
        >
          {leadOf(shown)} {isUnchecked(shown) ? 'This page was loaded' : 'Checked'}{' '}
          <Moment at={isUnchecked(shown) ? shown.at : platform.checkedAt} as="seconds" />. Checked every 30
          seconds.
        </PageHeader>
        {sampleDataUntil && <SampleHistory until={sampleDataUntil} />}
        {!reachable && (
          <DatabaseAway recordsAt={recordsAt} about="The component states are what we can see without it." />
        )}
        {open.map((incident) => (
          <OpenIncident key={incident.id} incident={incident} />
        ))}
        <Components shown={shown} />
        <div className="grid g2">
          <PracticeLookUp asked={shown.asked} answer={shown.answer} />
          <Card padded id="ended" title="Past incidents">
            {past.length === 0 && <p className="muted">{noPastWords(shown)}</p>}
            {past.map((incident) => (
              <PastIncident key={incident.id} incident={incident} />
            ))}
            <p>
              <a href={paths.statusHistory}>All incidents and daily numbers</a>
            </p>
          </Card>
        </div>
        <Feeds className="narrow-only" />
      </div>
    </PublicFrame>
  )
}

/** They are last on a narrow screen, where readers look for the current state first. */
function Feeds({ className }: { className: string }) {
  return (
    <span className={`small row ${className}`}>
      <a href={paths.statusRss}>RSS</a>
      <a href={paths.statusJson}>JSON</a>
      <a href={paths.statusBadge}>Badge</a>
      <a href={paths.statusMarkdown}>Markdown</a>
    </span>
  )
}

type Shown = ReturnType<typeof useLoaderData<typeof loader>>

function Components({ shown }: { shown: Shown }) {
  const statusOf = Object.fromEntries(shown.platform.services.map(({ id, status }) => [id, status]))
  const [checked, unchecked] = [true, false].map((wanted) =>
    byUse.filter((id) => (statusOf[id] !== 'not_available') === wanted),
  ) as [ComponentId[], ComponentId[]]
  return (
    <Card
      id="components"
      title={
        <>
          {titleOf(shown)}
          <span className="narrow-only small muted">
            <br />
            The latest {narrowDays} are shown here
          </span>
        </>
      }
      aside={<BarKey />}
    >
      {checked.map((id) => (
        <ComponentRow key={id} id={id} shown={shown} />
      ))}
      {unchecked.length > 0 && (
        <details className="comp-more">
          <summary>Not checked: {unchecked.map((id) => components[id].name).join(', ')}</summary>
          {unchecked.map((id) => (
            <ComponentRow key={id} id={id} shown={shown} />
          ))}
        </details>
      )}
      <footer>
        The height of a bar shows how much of the day we checked. Its lower part shows how much was affected.
        Days are in UTC. A minute without a check counts as no data, not as up. {settlingWords} These are our
        own checks, for information only. They are not an uptime guarantee or a service-level agreement. The
        FHIR and SMART rows report availability only and are not a certification claim. Components that are
        off on purpose or unchecked don’t count toward the overall status.
      </footer>
    </Card>
  )
}

/** The components that people use come first. The Status API has its own order. */
const byUse: readonly ComponentId[] = [
  'api',
  'fhir',
  'smart',
  'mcp',
  'demo',
  'chartvoyant_app',
  'academy',
  'ai',
]

function ComponentRow({ id, shown }: { id: ComponentId; shown: Shown }) {
  const { platform, days, since } = shown
  const row = platform.services.find((each) => each.id === id)
  if (!row) return null
  const { name, status, summary, automaticStatus } = row
  return (
    <div className="comp" id={`component-${id}`} data-component={id}>
      <div>
        <h3>{name}</h3>
        <p className="small muted">
          {summary}
          {automaticStatus &&
            ` Set manually. The automatic check reports: ${stateWords(automaticStatus).toLowerCase()}.`}
          {since[id] && status !== 'operational' && (
            <>
              {' '}
              Since <Moment at={since[id]} />.
            </>
          )}
        </p>
      </div>
      <div>
        <StateTag state={status} />
      </div>
      {days[id].length > 0 && <Days name={name} days={days[id]} />}
    </div>
  )
}

/** Says when a younger service began, because the days before are no gap. */
function titleOf({ days }: Shown): string {
  const listed = days.api.length
  return listed > 0 && listed < historyDays
    ? `${counted(listed, 'day')} since the first check`
    : `Last ${historyDays} days`
}

/** The day of the first bar, which is further right if there are fewer days than places. */
const firstDayWords = (days: readonly HistoryDay[], places: number): string =>
  days.length > 0 && days.length < places ? `Since ${dayWords(days[0])}` : dayWords(days.at(-places))

/** The bars, with the first day and the share of minutes below them. */
function Days({ name, days }: { name: string; days: readonly HistoryDay[] }) {
  return (
    <>
      <div className="clip">
        <StatusBars name={name} days={days} />
      </div>
      <p className="rg">
        <span>
          <span className="wide-only">{firstDayWords(days, historyDays)}</span>
          <span className="narrow-only">{firstDayWords(days, narrowDays)}</span>
        </span>
        <span>
          <span className="wide-only">{workedWords(days)}</span>
          <span className="narrow-only">{workedWords(days.slice(-narrowDays), 'worked')}</span>
        </span>
        <span>Today</span>
      </p>
    </>
  )
}
