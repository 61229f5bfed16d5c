import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { withholdAskForm } from '../../../server/contract/forms/withheld-patients.ts'
import { pageOf, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Banner } from '../../components/ui/banner.tsx'
import { EmptyState } from '../../components/ui/empty-state.tsx'
import { Eye } from '../../components/ui/icons.ts'
import { ListSearch, Pager } from '../../components/ui/list-tools.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, getSession, here, page, unlessUnavailable } from '../../services.server.ts'
import { ConsoleFrame } from '../../shared/frames/console-frame.tsx'
import { NoMoreAccess, People, Readings } from './access-parts.tsx'

export const meta: MetaFunction = () => [{ title: 'Who read your records · Sandpiper' }]

/** Of several patients the address has the place in the list, never an ID. */
const placeIn = (query: URLSearchParams, count: number) => {
  const place = Number(query.get('person') ?? 0)
  return Number.isInteger(place) && place >= 0 && place < count ? place : 0
}

export const loader = page(async (args: LoaderFunctionArgs) => {
  const session = await getSession(args, 'patient')
  const actor = actorOf(args, session)
  const { ownAccess } = args.context.services
  const query = new URL(args.request.url).searchParams
  const people = await ownAccess.records(actor)
  const place = placeIn(query, people.length)
  const chosen = people[place]
  // Old months are in object storage. The request for no further access can be made without them.
  const all = chosen
    ? await unlessUnavailable(() =>
        ownAccess.readings({ practiceId: chosen.practice.id, patientId: chosen.patientId }, actor),
      )
    : []
  return {
    account: { name: session.account.name, email: session.account.email },
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
    onceKey: randomUUID(),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
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
  const { account, people, place, listed, onceKey } = useLoaderData<typeof loader>()
  const chosen = people[place]
  return (
    <ConsoleFrame account={account} realm="patient">
      <PageHeader title="Who read your records">
        Apps, and software of other companies with a key, that read your records at your practice. Looks by
        the practice’s own people are not listed.
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
    </ConsoleFrame>
  )
}

type Listed = NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['listed']>

function Listed({ listed }: { listed: Listed }) {
  return (
    <>
      {(listed.q !== '' || listed.pages > 1) && <ListSearch label="Reader, record or purpose" q={listed.q} />}
      {listed.total === 0 && listed.q !== '' ? (
        <p className="muted">No access matches “{listed.q}”.</p>
      ) : listed.total === 0 ? (
        <EmptyState icon={Eye} title="No app or key has read these records">
          When one does, it is listed here: who, what, how often and when.
        </EmptyState>
      ) : (
        <>
          <Readings rows={listed.rows} manage={paths.patientApps} />
          <Pager label="rows" listed={listed} />
        </>
      )}
    </>
  )
}
