import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/server-runtime'
import { CalendarCheck } from 'lucide-react'
import { z } from 'zod'
import { sponsorForms } from '../../server/contract/forms/production-keys.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { ActionForm, Refusal } from '../components/ui/action-form.tsx'
import { Banner } from '../components/ui/banner.tsx'
import { Card } from '../components/ui/card.tsx'
import { EmptyState } from '../components/ui/empty-state.tsx'
import { Facts } from '../components/ui/facts.tsx'
import { Moment } from '../components/ui/moment.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { findStepUp } from '../lib/step-up.server.ts'
import { runAction } from '../lib/submission.server.ts'
import { here, page } from '../services.server.ts'
import { ConsoleFrame } from '../shared/frames/console-frame.tsx'
import { levelWords, StateTag } from '../shared/production-keys/production-parts.tsx'
import { getPractice } from './practice.server.ts'
import { PracticeChooser } from './practice-chooser.tsx'

export const meta: MetaFunction = () => [{ title: 'Yearly look · Sandpiper' }]

const stepForms = { recertify: sponsorForms.recertify.extend({ request: z.uuid() }) }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { session, actor, account, practice, practices } = await getPractice(args, ['admin'])
  const { keys } = await args.context.services.practiceConsole.read(practice.id, actor)
  const sorted = [...keys].sort((one, other) => Number(one.certifyBy ?? 0) - Number(other.certifyBy ?? 0))
  return {
    account,
    practice: { slug: practice.slug, name: practice.name },
    practices,
    keys: sorted,
    now: args.context.services.clock(),
    onceKey: randomUUID(),
    stepUp: findStepUp(args, session),
  }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const { actor } = await getPractice(args, ['admin'])
  const { productionKeys } = args.context.services
  return runAction(
    args,
    stepForms,
    {
      recertify: ({ request, ...input }) => productionKeys.recertify({ requestId: request, ...input }, actor),
    },
    { to: () => ({ path: here(args.request), done: 'practice_certified' }) },
  )
})

export default function Recertification() {
  const { account, practice, practices, keys, now, onceKey, stepUp } = useLoaderData<typeof loader>()
  return (
    <ConsoleFrame account={account} realm="practice">
      <PageHeader title="Yearly look">
        Once a year an admin of {practice.name} looks at every key and says that it may go on. Thirty days
        after it is due, a key that nobody confirmed is suspended.
      </PageHeader>
      <PracticeChooser practice={practice} practices={practices} />
      <Refusal />
      {stepUp && keys.length > 0 && (
        <Banner tone="turn" title="Confirming needs a fresh proof that it is you.">
          <Link to={stepUp}>Confirm that it is you</Link>
        </Banner>
      )}
      {keys.length === 0 && (
        <EmptyState icon={CalendarCheck} title="There is no key to look at">
          Keys that reach the practice are listed here, the one first due first.
        </EmptyState>
      )}
      {keys.map((key) => (
        <Card key={key.requestId} padded label={key.name}>
          <div className="row between">
            <h2>
              <Link to={paths.practiceSponsorship(key.requestId)}>
                {key.organizationName}: {key.name}
              </Link>
            </h2>
            <StateTag state={key.state} />
          </div>
          <Facts
            className="facts wide"
            of={{
              May: levelWords[key.level],
              'Last used': key.lastUsedAt ? <Moment at={key.lastUsedAt} /> : 'Never',
              Vouches: key.sponsorName ?? 'Nobody',
              'Confirm by': (
                <>
                  {key.certifyBy ? <Moment at={key.certifyBy} /> : 'Not due'}
                  {key.certifyBy && new Date(key.certifyBy) <= new Date(now) && ', due now'}
                </>
              ),
            }}
          />
          {!stepUp && (
            <ActionForm
              className="stack"
              intent="recertify"
              row={{ name: 'request', id: key.requestId }}
              version={key.version}
              onceKey={`${onceKey}-${key.requestId.slice(-6)}`}
              button="It may go on for a year"
            />
          )}
        </Card>
      ))}
    </ConsoleFrame>
  )
}
