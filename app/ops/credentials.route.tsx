import { Form, Link, useLoaderData } from '@remix-run/react'
import type { ComponentProps, ReactNode } from 'react'
import type { OpsAction } from '../../server/contract/portal/ops-actions.ts'
import { paths } from '../../server/contract/portal/paths.ts'
import { Field } from '../components/ui/form.tsx'
import { KeyRound, SearchX } from '../components/ui/icons.ts'
import { Button, Card, EmptyState, Facts, Moment, PageHeader, Tag } from '../components/ui/page-parts.tsx'
import { page } from '../services.server.ts'
import { KeyPrefix } from '../shared/keys/key-words.tsx'
import { openOps, performAction } from './ops.server.ts'
import { OpsActionForm, OpsActionLink } from './ops-action.tsx'

export const meta = () => [{ title: 'Keys and apps · Sandpiper' }]

const pageActions = [
  'suspend_key',
  'resume_key',
  'revoke_key',
  'suspend_client',
  'resume_client',
  'remove_client',
] as const

/** Cuts a pasted key to its public part: its secret part must not go back to the browser. */
const readSearch = (request: Request): string => {
  const search = (new URL(request.url).searchParams.get('find') ?? '').trim().slice(0, 100)
  return search.startsWith('svc_') ? search.slice(0, 12) : search
}

const backOf = (request: Request) =>
  `${paths.staffCredentials}?${new URLSearchParams({ find: readSearch(request) })}`

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions, backOf(args.request))
  const search = readSearch(args.request)
  const found = await args.context.services.operations.credentials.find(search, actor)
  return { act, search, found }
})

export const action = page((args) => performAction(args, pageActions, backOf(args.request)))

export default function Credentials() {
  const { search, found } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Keys and apps">
        Find a key by its first twelve characters, or an app by its client ID, and stop it.
      </PageHeader>
      {found && <OpsActionForm about={found.name} />}
      <Form method="get" className="card pad stack" role="search" aria-label="Find a key or an app">
        <Field name="find" label="First twelve characters of a key, or a client ID" value={search} mono />
        <Button type="submit">Find</Button>
      </Form>
      {found?.kind === 'key' && <FoundKey />}
      {found?.kind === 'client' && <FoundApp />}
      {!found &&
        (search === '' ? (
          <EmptyState icon={KeyRound} title="Find a key or an app">
            Never ask anyone for a whole key. Its first twelve characters identify it.
          </EmptyState>
        ) : (
          <EmptyState icon={SearchX} title="Not found">
            Check the spelling. Uppercase and lowercase letters differ.
          </EmptyState>
        ))}
    </>
  )
}

const looks = {
  active: { tone: 'ok', words: 'Active' },
  suspended: { tone: 'quiet', words: 'Stopped' },
  ended: { tone: 'quiet', words: 'Expired or revoked' },
} as const

interface FoundProps {
  name: string
  state: keyof typeof looks
  acts: { suspend: OpsAction; resume: OpsAction; end: OpsAction; endLabel: string }
  /** The key or app that the acts apply to. */
  target: Omit<ComponentProps<typeof OpsActionLink>, 'act' | 'label'>
  facts: [string, ReactNode][]
}

function Found({ name, state, acts, target, facts }: FoundProps) {
  return (
    <Card
      id="found"
      title={name}
      aside={
        state !== 'ended' && (
          <span className="row">
            {state === 'active' ? (
              <OpsActionLink act={acts.suspend} label="Stop" {...target} />
            ) : (
              <OpsActionLink act={acts.resume} label="Resume" {...target} />
            )}
            <OpsActionLink act={acts.end} label={acts.endLabel} {...target} />
          </span>
        )
      }
    >
      <Facts
        className="pad facts wide"
        of={{
          State: <Tag tone={looks[state].tone}>{looks[state].words}</Tag>,
          ...Object.fromEntries(facts),
        }}
      />
    </Card>
  )
}

function FoundKey() {
  const { found, search } = useLoaderData<typeof loader>()
  if (found?.kind !== 'key') return null
  const { id, version, name, state } = found
  const target = { id, version, about: `the key ${name}`, keep: { find: search } }
  return (
    <Found
      name={name}
      state={state}
      acts={{ suspend: 'suspend_key', resume: 'resume_key', end: 'revoke_key', endLabel: 'Revoke' }}
      target={target}
      facts={[
        ['Key', <KeyPrefix key="prefix" prefix={found.prefix} />],
        ['Access level', found.level.replace('_', '-')],
        ['Environment', found.environment],
        ['Practice', found.practice],
        ['Organization', found.organization ?? 'None'],
        ['Created', <Moment key="made" at={found.createdAt} as="date" />],
        ['Expires', <Moment key="ends" at={found.expiresAt} />],
        [
          'Request',
          found.requestId ? (
            <Link key="request" to={paths.reviewProductionKey(found.requestId)}>
              Agreements and history
            </Link>
          ) : (
            'A sandbox key'
          ),
        ],
      ]}
    />
  )
}

function FoundApp() {
  const { found, search } = useLoaderData<typeof loader>()
  if (found?.kind !== 'client') return null
  const { id, version, name, state } = found
  const target = { id, version, about: `the app ${name}`, keep: { find: search } }
  return (
    <Found
      name={name}
      state={state}
      acts={{ suspend: 'suspend_client', resume: 'resume_client', end: 'remove_client', endLabel: 'Remove' }}
      target={target}
      facts={[
        [
          'Client ID',
          <code key="id" className="breaks">
            {id}
          </code>,
        ],
        ['Users', `${found.audience}s`],
        ['Environment', found.environment],
        ['Organization', found.organization ?? 'None'],
        ['Created', <Moment key="made" at={found.createdAt} as="date" />],
        [
          'Registration',
          found.registrationId ? (
            <Link key="registration" to={paths.reviewRegistration(found.registrationId)}>
              Evidence and history
            </Link>
          ) : (
            'None: a sandbox app'
          ),
        ],
      ]}
    />
  )
}
