import { useLoaderData } from '@remix-run/react'
import { stopForms } from '../../../server/contract/forms/practice-stops.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { readAccessGroup } from '../../../server/contract/portal/practice-access.ts'
import type { Services } from '../../../server/services.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { here, page } from '../../services.server.ts'
import { AccessList } from '../../shared/access/access-list.tsx'
import { findStopToConfirm, withoutStopQuery } from '../../shared/access/stop-page.server.ts'
import { StopForm, StopMore, Stopped } from '../../shared/access/stops.tsx'
import { OwnPracticeHeader } from './own-practice-header.tsx'
import { getOwnPractice } from './sandbox.server.ts'

export const meta = () => [{ title: 'Stop access to the sandbox · Sandpiper' }]
export const handle = { here: 'Test / Practice / Stop access' }

export const loader = page(async (args) => {
  const { organization, actor, practice, to } = await getOwnPractice(args)
  const { services } = args.context
  const query = new URL(args.request.url).searchParams
  const group = readAccessGroup(query)
  const chosen = { scope: query.get('stop'), target: query.get('target') ?? '' }
  const [stops, stop, access] = await Promise.all([
    services.practiceStops.list(practice.id, actor),
    findStopToConfirm(services, practice, chosen, actor),
    services.practiceConsole.read(practice.id, actor, { ask: readPageAsk(query), group }),
  ])
  return {
    slug: organization.slug,
    practice,
    to,
    stops,
    stop,
    access,
    group,
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const { actor, practice, session } = await getOwnPractice(args)
  const { practiceStops } = args.context.services
  const stopAccess = async (target: StopTarget, reason: string) =>
    void (await practiceStops.stop({ practiceId: practice.id, target, reason }, actor))
  return runAction(
    args,
    stopForms,
    {
      stop: ({ scope, target, reason }) => stopAccess({ scope, id: target }, reason),
      stopEverything: ({ confirmName, reason }) => stopAccess({ scope: 'everything', confirmName }, reason),
      resume: ({ stop }) => practiceStops.resume({ practiceId: practice.id, stopId: stop }, actor),
    },
    {
      to: (intent) => ({
        path: withoutStopQuery(here(args.request)),
        done: intent === 'resume' ? 'practice_access_resumed' : 'practice_access_stopped',
      }),
      session,
    },
  )
})

type StopTarget = Parameters<Services['practiceStops']['stop']>[0]['target']

export default function OwnPracticeStops() {
  const { slug, practice, to, stops, stop, access, group, onceKey } = useLoaderData<typeof loader>()
  return (
    <div className="page">
      <OwnPracticeHeader title="Stop access" practice={practice} to={to} here="stops" />
      <p>
        A production practice can stop your keys and apps at any time. Stop them here to see what your
        software does when its next request is refused with 401, and that it works again afterwards.
      </p>
      <Refusal />
      <Stopped stops={stops.stops} admin onceKey={onceKey} />
      {stop && <StopForm stop={stop} onceKey={onceKey} />}
      <AccessList
        access={access}
        stops={stops.stops}
        group={group}
        admin
        onceKey={onceKey}
        places={{
          key: (keyId) => paths.organizationKey(slug, keyId),
          use: null,
          keyAccess: null,
          revoke: null,
          empty:
            'Your keys for the sandbox, backend apps you allow and apps that people connect are listed here.',
        }}
      />
      <StopMore {...stops} />
    </div>
  )
}
