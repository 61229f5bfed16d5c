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

/** A whole key that was pasted is cut here: nothing behind its public part goes back to the browser. */
const readWanted = (request: Request): string => {
  const wanted = (new URL(request.url).searchParams.get('find') ?? '').trim().slice(0, 100)
  return wanted.startsWith('svc_') ? wanted.slice(0, 12) : wanted
}

const backOf = (request: Request) =>
  `${paths.staffCredentials}?${new URLSearchParams({ find: readWanted(request) })}`

export const loader = page(async (args) => {
  const { actor, act } = await openOps(args, pageActions, backOf(args.request))
  const wanted = readWanted(args.request)
  const found = await args.context.services.operations.credentials.find(wanted, actor)
  return { act, wanted, found }
})

export const action = page((args) => performAction(args, pageActions, backOf(args.request)))

export default function Credentials() {
  const { wanted, found } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Keys and apps">
        Find a key by its first twelve characters, or an app by its client ID, and stop it.
      </PageHeader>
      {found && <OpsActionForm about={found.name} />}
      <Form method="get" className="card pad stack" role="search" aria-label="Find a key or an app">
        <Field name="find" label="First twelve characters of a key, or a client ID" value={wanted} mono />
        <Button type="submit">Find</Button>
      </Form>
      {found?.kind === 'key' && <FoundKey />}
      {found?.kind === 'client' && <FoundApp />}
      {!found &&
        (wanted === '' ? (
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
  /** Which row the acts are about. */
  on: Omit<ComponentProps<typeof OpsActionLink>, 'act' | 'label'>
  facts: [string, ReactNode][]
}

function Found({ name, state, acts, on, facts }: FoundProps) {
  return (
    <Card
      id="found"
      title={name}
      aside={
        state !== 'ended' && (
          <span className="row">
            {state === 'active' ? (
              <OpsActionLink act={acts.suspend} label="Stop" {...on} />
            ) : (
              <OpsActionLink act={acts.resume} label="Resume" {...on} />
            )}
            <OpsActionLink act={acts.end} label={acts.endLabel} {...on} />
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
  const { found, wanted } = useLoaderData<typeof loader>()
  if (found?.kind !== 'key') return null
  const { id, version, name, state } = found
  const common = { id, version, of: `the key ${name}`, keep: { find: wanted } }
  return (
    <Found
      name={name}
      state={state}
      acts={{ suspend: 'suspend_key', resume: 'resume_key', end: 'revoke_key', endLabel: 'Revoke' }}
      on={common}
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
  const { found, wanted } = useLoaderData<typeof loader>()
  if (found?.kind !== 'client') return null
  const { id, version, name, state } = found
  const common = { id, version, of: `the app ${name}`, keep: { find: wanted } }
  return (
    <Found
      name={name}
      state={state}
      acts={{ suspend: 'suspend_client', resume: 'resume_client', end: 'remove_client', endLabel: 'Remove' }}
      on={common}
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
