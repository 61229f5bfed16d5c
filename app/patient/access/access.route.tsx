import { Link, useLoaderData } from '@remix-run/react'
import { withholdAskForm } from '../../../server/contract/forms/withheld-patients.ts'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import type { Services } from '../../../server/services.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Eye, EyeOff } from '../../components/ui/icons.ts'
import { Cell, DataTable, Pager, Row, SearchedList } from '../../components/ui/list.tsx'
import { Banner, Card, Moment, PageHeader, Tabs } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, getSession, here, page, unlessUnavailable } from '../../services.server.ts'

export const meta = () => [{ title: 'Who read your records · Sandpiper' }]

/** The URL contains a patient's position in the list, never an ID. */
const placeIn = (query: URLSearchParams, count: number) => {
  const place = Number(query.get('person') ?? 0)
  return Number.isInteger(place) && place >= 0 && place < count ? place : 0
}

export const loader = page(async (args) => {
  const session = await getSession(args, 'patient')
  const actor = actorOf(args, session)
  const { ownAccess } = args.context.services
  const query = new URL(args.request.url).searchParams
  const people = await ownAccess.records(actor)
  const place = placeIn(query, people.length)
  const chosen = people[place]
  // Six years may take longer than the page. People can request that access ends without them.
  const all = chosen
    ? await unlessUnavailable(() =>
        ownAccess.readings({ practiceId: chosen.practice.id, patientId: chosen.patientId }, actor),
      )
    : []
  return {
    people,
    place,
    listed:
      all &&
      pageOf(readPageAsk(query), all, ({ recipient, what, purpose }) => [
        recipient.name,
        recipient.through,
        what,
        purpose,
      ]),
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const session = await getSession(args, 'patient')
  const actor = actorOf(args, session)
  return runAction(
    args,
    { ask: withholdAskForm },
    {
      ask: ({ practice, patient }) =>
        args.context.services.ownAccess.askForNoMore({ practiceId: practice, patientId: patient }, actor),
    },
    { to: () => ({ path: here(args.request), done: 'patient_withholding_requested' }) },
  )
})

export default function WhoReadYourRecords() {
  const { people, place, listed, onceKey } = useLoaderData<typeof loader>()
  const chosen = people[place]
  return (
    <>
      <PageHeader title="Who read your records">
        Apps and other companies’ software that read your records at your practice. Access by practice staff
        isn’t listed.
      </PageHeader>
      <Refusal />
      <People people={people} place={place} />
      {chosen && <NoMoreAccess of={chosen} onceKey={onceKey} />}
      {listed ? (
        <Listed listed={listed} />
      ) : (
        <Banner tone="wait" title="The list is not available right now.">
          Its older entries can’t be read at the moment. Try again later.
        </Banner>
      )}
    </>
  )
}

type Listed = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['listed']>

function Listed({ listed }: { listed: Listed }) {
  return (
    <SearchedList
      listed={listed}
      search="Reader, record or purpose"
      one="access"
      icon={Eye}
      title="No app or key has read these records"
      empty="When one does, it is listed here: who, what, how often and when."
    >
      <Readings rows={listed.rows} manage={paths.patientApps} />
      <Pager label="rows" listed={listed} />
    </SearchedList>
  )
}

type Person = Awaited<ReturnType<Services['ownAccess']['records']>>[number]
type Reading = Awaited<ReturnType<Services['ownAccess']['readings']>>[number]

/** Shown only to people who act for several patients. */
function People({ people, place }: { people: readonly Person[]; place: number }) {
  if (people.length < 2) return null
  return (
    <Tabs
      label="Patients"
      tabs={people.map(({ name, practice }, at) => ({
        to: `${paths.patientAccess}?person=${at}`,
        label: `${name ?? 'No chart'}, ${practice.name}`,
        current: at === place,
      }))}
    />
  )
}

/** Shows that the practice withholds the records, or the last request, or the form for a new one. */
function NoMoreAccess({ of, onceKey }: { of: Person; onceKey: string }) {
  const { practice, request, withheld } = of
  if (withheld)
    return (
      <Banner tone="wait" icon={EyeOff} title="Keys and apps can’t read these records.">
        {practice.name} withholds them, also from apps that you allowed. Ask the practice if you want your
        records, or want this to end.
      </Banner>
    )
  if (request?.state === 'open')
    return (
      <Banner tone="wait" icon={EyeOff} title="You requested no further access.">
        Sent <Moment at={request.createdAt} />. {practice.name} decides, and you get an email. Until then keys
        and apps can read these records.
      </Banner>
    )
  return (
    <>
      {request?.state === 'declined' && (
        <Banner tone="bad" title="Your practice declined your request.">
          {request.decidedAt && <Moment at={request.decidedAt} />} Reason: {request.answer}
        </Banner>
      )}
      <ActionForm
        intent="ask"
        version={0}
        onceKey={onceKey}
        title="Stop all access to my records"
        text={`Ask ${practice.name} to withhold these records from every key and app, also from apps that you allowed. The practice decides. To end the access of one app, stop it under “Apps you allowed”.`}
        button="Ask the practice"
      >
        <input type="hidden" name="practice" value={practice.id} />
        <input type="hidden" name="patient" value={of.patientId} />
      </ActionForm>
    </>
  )
}

/** @param manage the path of the page where the person stops the apps that they allowed */
function Readings({ rows, manage }: { rows: readonly Reading[]; manage: string }) {
  return (
    <Card title="Access">
      <DataTable label="Who read the records" heads={['Reader', 'What', 'Purpose', 'Times', 'Last']}>
        {rows.map(({ recipient, what, purpose, count, firstAt, lastAt, allowed }) => (
          <Row key={`${recipient.name} ${recipient.through} ${what} ${purpose}`}>
            <Cell>
              <span className="label">{recipient.through ?? recipient.name}</span>
              <span className="sub">
                {recipient.through !== recipient.name && recipient.name}
                {allowed && (
                  <>
                    {' '}
                    You allowed it. <Link to={manage}>Stop it</Link>
                  </>
                )}
              </span>
            </Cell>
            <Cell label="What">{what}</Cell>
            <Cell label="Purpose">{purpose}</Cell>
            <Cell label="Times">{count.toLocaleString('en-US')}</Cell>
            <Cell label="Last">
              <Moment at={lastAt} />
              {count > 1 && (
                <span className="sub">
                  First <Moment at={firstAt} />
                </span>
              )}
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Card>
  )
}
