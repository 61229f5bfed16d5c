import { Link, useActionData, useLoaderData } from '@remix-run/react'
import { data } from '@remix-run/server-runtime'
import { z } from 'zod'
import { systemDecision } from '../../../server/contract/forms/systems.ts'
import { readPageAsk } from '../../../server/contract/portal/paging.ts'
import { chooseScopes, describeScopes } from '../../../server/contract/smart/scope-labels.ts'
import type { SystemAuthorization } from '../../../server/domain/system-authorizations/system-authorizations.ts'
import { Refusal } from '../../components/ui/action-form.tsx'
import { Server } from '../../components/ui/icons.ts'
import { Pager, SearchedList } from '../../components/ui/list.tsx'
import { Banner, PageHeader } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, findStepUp, here, page } from '../../services.server.ts'
import { toLines } from '../../shared/consent/consent-view.ts'
import { SystemCard } from '../../shared/consent/system-card.tsx'
import { ForDeciders } from '../for-deciders.tsx'
import { decidingRoles, findPractice, listPractices } from '../practice.server.ts'

export const meta = () => [{ title: 'Backend systems · Sandpiper' }]

const boxesMax = 200

export const loader = page(async (args) => {
  const { session, actor, practice } = await findPractice(args, decidingRoles)
  if (!practice) return { practice: null, stepUp: null, listed: null }
  const ask = readPageAsk(new URL(args.request.url).searchParams)
  const listed = await args.context.services.backendAuthorizations.pageForPractice(practice.id, ask, actor)
  return {
    practice: { slug: practice.slug, name: practice.name },
    stepUp: findStepUp(args, session),
    listed: { ...listed, rows: listed.rows.map(toView) },
  }
})

const toView = ({ scopes, ...system }: SystemAuthorization) => ({
  ...system,
  lines: toLines(describeScopes(scopes, 'other').lines),
})

export const action = page(async (args) => {
  const { session, practices } = await listPractices(args)
  const actor = actorOf(args, session)
  const { backendAuthorizations } = args.context.services
  /** Finds the system at any of the person's practices, because another tab may have switched the practice. */
  const find = async (id: string) => {
    const deciding = practices.filter(({ roles }) => roles.some((role) => decidingRoles.includes(role)))
    const systems = await Promise.all(
      deciding.map((practice) => backendAuthorizations.listForPractice(practice.id, actor)),
    )
    const found = systems.flat().find((system) => system.id === id)
    if (!found) throw data(null, { status: 404 })
    return found
  }
  return runAction(
    args,
    stepForms,
    {
      grant: async ({ type: types, pick: picks, ...input }) => {
        const { scopes } = await find(input.id)
        const chosen = chooseScopes(scopes, { types, picks, lasting: true })
        await backendAuthorizations.grant({ ...input, scopes: chosen }, actor)
      },
      decline: async (input) => {
        await find(input.id)
        await backendAuthorizations.decline(input, actor)
      },
      revoke: async (input) => {
        await find(input.id)
        await backendAuthorizations.revoke(input, actor)
      },
    },
    { to: (intent) => ({ path: here(args.request), done: doneByIntent[intent] }), fieldsMax: boxesMax },
  )
})

const [grant, decline, revoke] = systemDecision.options
const stepForms = {
  grant: grant.extend({ type: z.array(z.string()), pick: z.array(z.string()) }),
  decline,
  revoke,
}
const doneByIntent = {
  grant: 'system_granted',
  decline: 'system_declined',
  revoke: 'system_revoked',
} as const

export default function Systems() {
  const { practice, listed, stepUp } = useLoaderData<typeof loader>()
  const wrong = useActionData<typeof action>()?.wrong
  if (!practice) return <ForDeciders title="Backend systems" />
  const { waiting } = listed
  return (
    <>
      <PageHeader title="Backend systems">
        Programs that read your patients’ records automatically, with no one signed in. A system has no access
        until you allow it. When you revoke access, the system stops at its next request.
      </PageHeader>
      <Refusal />
      {!wrong && waiting > 0 && (
        <Banner
          tone="turn"
          title={waiting === 1 ? '1 system requests access.' : `${waiting} systems request access.`}
        >
          Allow access, or decline and give the developer a reason. Until you decide, there is no access.
          {stepUp && (
            <>
              {' '}
              To allow access, <Link to={stepUp}>confirm your password first</Link>.
            </>
          )}
        </Banner>
      )}
      <SearchedList
        listed={listed}
        search="System or organization"
        one="system"
        icon={Server}
        title="No requests from systems yet"
        empty={
          <>
            When a developer requests access to the records of {practice.name} for a backend system, the
            request is listed here with its purpose.
          </>
        }
      >
        <h2 className="sr">Systems</h2>
        {listed.rows.map((system) => (
          <SystemCard key={system.id} system={system} />
        ))}
      </SearchedList>
      <Pager label="systems" listed={listed} />
    </>
  )
}
