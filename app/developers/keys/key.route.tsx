import { Form, Link, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { limits } from '../../../server/contract/http/limits.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { CodeBlock } from '../../components/ui/code-block.tsx'
import { Activity } from '../../components/ui/icons.ts'
import {
  Banner,
  EmptyState,
  Facts,
  LinkButton,
  Moment,
  PageHeader,
  SubmitButton,
} from '../../components/ui/page-parts.tsx'
import { sandboxBase } from '../../lib/api-base.server.ts'
import { type Done, doneCookie } from '../../lib/flash.ts'
import { readFields } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'
import { KeyPrefix, reachOf } from '../../shared/keys/key-words.tsx'
import { CanRead, Caps, PracticeStopped } from '../../shared/keys/practice-limits.tsx'
import { EndingCalls, GraceCard } from './key-notices.tsx'
import { KeyDetail, KeyTag } from './key-rows.tsx'
import { getKey } from './keys.server.ts'
import { callsOf, Sparkline } from './sparkline.tsx'

export const meta = () => [{ title: 'Key · Sandpiper' }]
export const handle = { here: 'Keys / Key' }

export const loader = page(async (args) => {
  const { key, session, organization } = await getKey(args)
  const { services } = args.context
  const reader = { keyId: key.id, accountId: session.accountId }
  const inGrace = key.rotatedAt !== null && key.state === 'active'
  const [uses, endingCalls, limitsOfPractice] = await Promise.all([
    inGrace ? services.keys.graceUse(reader) : [],
    services.deprecationNotices.findKeyUse(key.id),
    services.keyLimits.forOwner(reader),
  ])
  return {
    base: paths.organizationKeys(organization.slug),
    logs: paths.logs(organization.slug, { caller: `key:${key.id}` }),
    request: key.productionRequestId && paths.productionKey(organization.slug, key.productionRequestId),
    apiBase: sandboxBase(args.context),
    now: services.clock(),
    key,
    ended: key.state === 'revoked' || key.state === 'expired',
    uses,
    endingCalls,
    limitsOfPractice,
  }
})

/** Extends the key, or changes the grace period of a rotated one. */
export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  const { keys } = args.context.services
  const fields = await readFields(args.request)
  const keyId = args.params.key ?? ''
  let done: Done = 'key_extended'
  if (fields.get('intent') === 'grace') {
    await keys.changeGrace({ keyId, graceHours: Number(fields.get('graceHours')) }, actor)
    done = 'key_grace_changed'
  } else if (fields.get('intent') === 'extend') await keys.extend({ keyId }, actor)
  else throw data({ message: 'The form is incomplete. Reload the page and try again.' }, { status: 400 })
  return redirect(paths.organizationKey(organization.slug, keyId), {
    headers: { 'set-cookie': doneCookie(done) },
  })
})

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>
type Key = Loaded['key']

export default function KeyPage() {
  const loaded = useLoaderData<typeof loader>()
  const { key, base, now, apiBase, uses, ended, logs, request } = loaded
  const self = `${base}/${key.id}`
  return (
    <div className="page">
      <PageHeader title={key.name} action={key.mayRevoke && <KeyLinks record={key} self={self} />}>
        {request && (
          <>
            <Link to={request}>The request for this key</Link>.{' '}
          </>
        )}
        <Link to={logs}>View its calls in the logs</Link>
      </PageHeader>
      {!ended && <PracticeStopped stops={loaded.limitsOfPractice.stops} />}
      {key.browserUseAt && !ended && (
        <Banner tone="turn" title="This key was used from a browser.">
          Last used there on <Moment at={key.browserUseAt} />. Anyone who opens that page can read the key.
          Move the calls to a server and rotate the key.
        </Banner>
      )}
      {!ended && <EndingCalls calls={loaded.endingCalls} />}
      {key.mayExtend && (
        <Banner
          tone="turn"
          title={`This key expires on ${key.expiresAt.toISOString().slice(0, 10)}.`}
          action={
            <Form method="post">
              <SubmitButton name="intent" value="extend" busy="Extending">
                Extend by {limits.keyDays} days
              </SubmitButton>
            </Form>
          }
        >
          One click extends it to {limits.keyDays} days from now. Otherwise, its calls get a 401 response
          after that.
        </Banner>
      )}
      {key.rotatedAt && key.state === 'active' && (
        <GraceCard
          expiresAt={key.expiresAt}
          rotatedAt={key.rotatedAt}
          now={now}
          successor={key.successor && { prefix: key.successor.prefix, to: `${base}/${key.successor.id}` }}
          uses={uses}
          mayChange={key.mayRevoke}
        />
      )}
      <KeyFacts record={key} now={now} limits={loaded.limitsOfPractice} />
      {key.lastUsedAt === null && !ended && <NoCalls apiBase={apiBase} />}
    </div>
  )
}

function NoCalls({ apiBase }: { apiBase: string }) {
  const command = `curl "${apiBase}/context" -H "Authorization: Bearer $SVC_KEY"`
  return (
    <EmptyState
      icon={Activity}
      title="No calls yet"
      action={
        <CodeBlock label="A first call" bar="Terminal" copy={command} wrapped>
          {command}
        </CodeBlock>
      }
    >
      This key has not been used. Make the first call from your server. It appears in the logs within a
      second:
    </EmptyState>
  )
}

function KeyLinks({ record: key, self }: { record: Key; self: string }) {
  return (
    <div className="row">
      {key.mayRotate && <LinkButton to={`${self}/rotate`}>Rotate</LinkButton>}
      <LinkButton to={`${self}/networks`}>Networks</LinkButton>
      <LinkButton to={`${self}/mcp`}>AI assistants</LinkButton>
      <LinkButton to={`${self}/limits`}>Limits</LinkButton>
      <LinkButton to={`${self}/term`}>Term</LinkButton>
      <LinkButton look="danger" to={`${self}/revoke`}>
        Revoke
      </LinkButton>
    </div>
  )
}

interface KeyFactsProps {
  record: Key
  now: Loaded['now']
  limits: Loaded['limitsOfPractice']
}

function KeyFacts({ record: key, now, limits: { access, caps, today } }: KeyFactsProps) {
  return (
    <section className="card" aria-label="The key">
      <Facts
        boxes
        className="pad key-facts"
        of={{
          Key: <KeyPrefix prefix={key.prefix} />,
          Practice: (
            <>
              {key.practice.name}
              <span className="sub">{reachOf(key)}</span>
            </>
          ),
          State: (
            <>
              <KeyTag record={key} />
              <KeyDetail record={key} now={now} />
            </>
          ),
          Networks:
            key.allowedNetworks.length === 0
              ? 'anywhere'
              : key.allowedNetworks.map((network) => (
                  <code className="block" key={network}>
                    {network}
                  </code>
                )),
          'AI assistants': key.mcpWrites && 'may write',
          'Custom limits':
            key.limits &&
            `${key.limits.burst} per second, ${key.limits.sustained.toLocaleString('en-US')} per minute`,
          'Can read': access && <CanRead access={access} />,
          'Caps of the practice': caps && <Caps caps={caps} today={today} />,
          'Last 30 days': (
            <>
              <Sparkline days={key.days} />
              <span className="sub">{callsOf(key.days)}</span>
            </>
          ),
        }}
      />
    </section>
  )
}
