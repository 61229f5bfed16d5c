import { useLoaderData } from '@remix-run/react'
import { redirect } from '@remix-run/server-runtime'
import { stopForms } from '../../../server/contract/forms/practice-stops.ts'
import { accessForms, accessReasons } from '../../../server/contract/forms/production-keys.ts'
import { isProblem, Problem } from '../../../server/contract/http/problems.ts'
import { firstPage, readPageAsk } from '../../../server/contract/portal/paging.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { readAccessGroup } from '../../../server/contract/portal/practice-access.ts'
import type { Actor } from '../../../server/domain/actor.ts'
import type { Services } from '../../../server/services.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Download } from '../../components/ui/icons.ts'
import { PageHeader } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, getSession, here, type PortalSession, page } from '../../services.server.ts'
import { inboxPath } from '../../shared/inbox/inbox-path.ts'
import { ForDeciders } from '../for-deciders.tsx'
import { decidingRoles, findPractice } from '../practice.server.ts'
import { AccessList } from './access-list.tsx'
import { ConfirmStep, NextStep } from './next-step.tsx'
import { StopForm, StopMore, Stopped } from './stops.tsx'

export const meta = () => [{ title: 'Who has access · Sandpiper' }]

const nothing = {
  ...{ stops: null, stop: null },
  ...{ practice: null, access: null, group: null, next: null, confirm: null },
  ...{ mfa: null, onceKey: null },
} as const

/** Only admins and signatories see who has access; clinicians do not. */
export const loader = page(async (args) => {
  const { session, actor, practice } = await findPractice(args, decidingRoles)
  const { services } = args.context
  if (!practice) return nothing
  const query = new URL(args.request.url).searchParams
  const admin = practice.roles.includes('admin')
  const group = readAccessGroup(query)
  const stopScope = admin ? query.get('stop') : null
  // The password comes first, because a redirect would lose a reason that was already typed.
  const proof = stopScope === null ? null : findStepUp(args, session)
  if (proof !== null) throw redirect(proof)
  const [stops, stop, access, next, confirm, { recoveryCodesLeft }] = await Promise.all([
    services.practiceStops.list(practice.id, actor),
    findStopToConfirm(services, practice, { scope: stopScope, target: query.get('target') ?? '' }, actor),
    services.practiceConsole.read(practice.id, actor, { ask: readPageAsk(query), group }),
    findNext(services, practice, { ...actor, roles: session.roles }),
    findKeyToConfirm(services, practice.id, query.get('confirm'), actor),
    services.mfaFactors.find(session.accountId),
  ])
  return {
    practice: { slug: practice.slug, name: practice.name, admin },
    mfa: { state: session.mfaState, recoveryCodesLeft },
    access,
    stops,
    stop,
    group,
    next,
    confirm,
    onceKey: crypto.randomUUID(),
  }
})

/** The access that the reader is about to stop, from the query; null without any. */
async function findStopToConfirm(
  { practiceStops }: Services,
  practice: { id: string; name: string },
  { scope, target }: { scope: string | null; target: string },
  actor: Actor,
) {
  if (scope === 'everything') return { scope, target: practice.id, name: practice.name } as const
  if (scope !== 'app' && scope !== 'key' && scope !== 'organization') return null
  const name = await practiceStops.findName(practice.id, { scope, id: target }, actor)
  return name === null ? null : ({ scope, target, name } as const)
}

/** The list's path without the query of the form that was sent. */
function withoutStopQuery(path: string): string {
  const [pathname = '', search = ''] = path.split('?')
  const query = new URLSearchParams(search)
  for (const name of ['confirm', 'stop', 'target']) query.delete(name)
  return query.size === 0 ? pathname : `${pathname}?${query}`
}

/** The reader's first inbox entry at this practice. */
async function findNext(
  { inbox }: Services,
  practice: { id: string; slug: string },
  actor: Actor & Pick<PortalSession, 'roles'>,
) {
  const waiting = await inbox.list({ ask: firstPage }, actor)
  const rows = waiting.rows.filter((entry) => entry.practice?.slug === practice.slug)
  const [entry] = rows
  if (!entry) return null
  const { title, action, dueAt } = entry
  return { title, action, dueAt, to: inboxPath(entry), more: waiting.total - 1 }
}

/** The key to suspend or reinstate, now that the person has confirmed their password. */
async function findKeyToConfirm(
  { productionKeys }: Services,
  practiceId: string,
  requestId: string | null,
  actor: Actor,
) {
  if (requestId === null) return null
  const view = await productionKeys.get(requestId, actor).catch((thrown: unknown) => {
    if (isProblem(thrown)) return null
    throw thrown
  })
  if (view?.practice?.id !== practiceId) return null
  const isOurs = view.suspensions.some(({ cause, endedAt }) => cause === 'practice' && endedAt === null)
  const step = isOurs ? ('reinstate' as const) : ('suspend' as const)
  if (!view.allowed.includes(step)) return null
  return { requestId, version: view.version, name: view.name, organizationName: view.organization.name, step }
}

export const action = page(async (args) => {
  const session = await getSession(args, 'practice')
  const actor = actorOf(args, session)
  const { productionKeys, practiceStops } = args.context.services
  const makeStep = async (intent: keyof typeof accessForms, { request, ...target }: Target) => {
    // After the password, the page returns to this key.
    const proof = findStepUp(args, session, `${paths.practice}?${new URLSearchParams({ confirm: request })}`)
    if (proof !== null) throw redirect(proof)
    await productionKeys[intent]({ requestId: request, ...target, reason: accessReasons[intent] }, actor)
  }
  /** People can stop access only at their own practice; the domain checks their role. */
  const stopAccess = async (target: StopTarget, reason: string) => {
    const { practice } = await findPractice(args, decidingRoles)
    if (!practice) throw new Problem('forbidden')
    await practiceStops.stop({ practiceId: practice.id, target, reason }, actor)
  }
  const resumeAccess = async (stopId: string) => {
    const { practice } = await findPractice(args, decidingRoles)
    if (!practice) throw new Problem('forbidden')
    await practiceStops.resume({ practiceId: practice.id, stopId }, actor)
  }
  return runAction(
    args,
    { ...accessForms, ...stopForms },
    {
      stop: ({ scope, target, reason }) => stopAccess({ scope, id: target }, reason),
      stopEverything: ({ confirmName, reason }) => stopAccess({ scope: 'everything', confirmName }, reason),
      resume: ({ stop }) => resumeAccess(stop),
      suspend: (input) => makeStep('suspend', input),
      reinstate: (input) => makeStep('reinstate', input),
    },
    {
      to: (intent) => ({
        path: withoutStopQuery(here(args.request)),
        done: doneCodes[intent],
      }),
      session,
    },
  )
})

type Target = { request: string; version: number; idempotencyKey: string }

type StopTarget = Parameters<Services['practiceStops']['stop']>[0]['target']

const doneCodes = {
  suspend: 'practice_suspended_key',
  reinstate: 'practice_key_works',
  stop: 'practice_access_stopped',
  stopEverything: 'practice_access_stopped',
  resume: 'practice_access_resumed',
} as const

export default function WhoHasAccess() {
  const { practice, access, stops, stop, group, next, confirm, mfa, onceKey } = useLoaderData<typeof loader>()
  if (!practice) return <ForDeciders title="Who has access" />
  return (
    <>
      <PageHeader
        title="Who has access"
        action={
          <a
            className="btn"
            href={`${paths.practiceAccessFile}?${new URLSearchParams({ practice: practice.slug })}`}
          >
            <Download className="i" />
            Download the list
          </a>
        }
      >
        Other companies’ software with access to {practice.name}’s records.
        {practice.admin && ' You can stop its access here.'}
      </PageHeader>
      <Refusal />
      <Stopped stops={stops.stops} admin={practice.admin} onceKey={onceKey} />
      {stop && <StopForm stop={stop} onceKey={onceKey} />}
      {!stop &&
        (confirm ? <ConfirmStep target={confirm} onceKey={onceKey} /> : <NextStep next={next} mfa={mfa} />)}
      <AccessList
        access={access}
        stops={stops.stops}
        group={group}
        admin={practice.admin}
        onceKey={onceKey}
      />
      {practice.admin && <StopMore {...stops} />}
    </>
  )
}
