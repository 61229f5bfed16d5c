import type { MetaFunction } from '@remix-run/react'
import { Form, Link, useLoaderData } from '@remix-run/react'
import type { LoaderFunctionArgs } from '@remix-run/server-runtime'
import { keyDoctorForm } from '../../../server/contract/forms/keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { Banner } from '../../components/ui/banner.tsx'
import { SubmitButton } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Facts } from '../../components/ui/facts.tsx'
import { Moment } from '../../components/ui/moment.tsx'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { getSession, page } from '../../services.server.ts'
import { CallStatus } from '../../shared/activity/call-table.tsx'
import { KeyPrefix } from '../../shared/keys/key-prefix.tsx'

export const meta: MetaFunction = () => [{ title: 'Key Doctor · Sandpiper' }]
export const handle = { here: 'Key Doctor' }

export const loader = page(async (args: LoaderFunctionArgs) => {
  const { accountId } = await getSession(args, 'developer')
  const query = new URL(args.request.url).searchParams
  const typed = { prefix: query.get('prefix') ?? '', correlationId: query.get('correlationId') ?? '' }
  // A whole key that was pasted by mistake is not shown again.
  const shown = { prefix: typed.prefix.slice(0, 12), correlationId: typed.correlationId.slice(0, 64) }
  if (typed.prefix === '' || typed.correlationId === '') return { shown, faults: null, diagnosis: null }
  const parsed = keyDoctorForm.safeParse(typed)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ message }) => message)
    return { shown, faults, diagnosis: null }
  }
  await args.context.services.recorder.flush()
  const diagnosis = await args.context.services.keys.diagnose({ ...parsed.data, accountId })
  return { shown, faults: null, diagnosis }
})

export default function KeyDoctor() {
  const { shown, faults, diagnosis } = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <PageHeader title="Key Doctor">
        Every 401 response is the same, whatever the cause. Members of the key’s organization see the real
        reason here, and how to fix it.
      </PageHeader>
      {faults && (
        <Banner tone="bad" title="Fix the fields to continue.">
          {faults.join(' ')}
        </Banner>
      )}
      <Form method="get" className="card pad stack gap-6">
        <div className="field">
          <label htmlFor="prefix">First twelve characters of the key</label>
          <input
            className="input mono"
            id="prefix"
            name="prefix"
            required
            maxLength={12}
            autoComplete="off"
            spellCheck={false}
            defaultValue={shown.prefix}
            aria-describedby="prefix-hint"
          />
          <p className="hint" id="prefix-hint">
            Never the whole key. The rest is secret and not needed.
          </p>
        </div>
        <div className="field">
          <label htmlFor="correlation">Correlation ID</label>
          <input
            className="input mono"
            id="correlation"
            name="correlationId"
            required
            maxLength={64}
            autoComplete="off"
            spellCheck={false}
            defaultValue={shown.correlationId}
            aria-describedby="correlation-hint"
          />
          <p className="hint" id="correlation-hint">
            In the response body and in its <code>X-Correlation-Id</code>header. Your own correlation ID
            works, too.
          </p>
        </div>
        <div className="row">
          <SubmitButton busy="Looking">Find reason</SubmitButton>
        </div>
      </Form>
      {diagnosis?.kind === 'unknown' && (
        <Card padded title="Nothing found">
          <p>
            None of your organizations has a key with this prefix and a request with this ID. Compare both
            with the response. If the key could not be read at all, the request isn’t stored under any prefix.
          </p>
        </Card>
      )}
      {diagnosis?.kind === 'found' && <Found diagnosis={diagnosis} />}
    </div>
  )
}

type Found = Extract<
  NonNullable<ReturnType<typeof useLoaderData<typeof loader>>['diagnosis']>,
  { kind: 'found' }
>

function Found({ diagnosis: { key, request, refusal } }: { diagnosis: Found }) {
  const activity = `${paths.keyActivity(key.organizationSlug, key.id)}?${new URLSearchParams({ correlationId: request.correlationId })}`
  return (
    <Card id="diagnosis" title={refusal ? refusal.reason : 'This request succeeded.'}>
      <div className="pad stack">
        {refusal && (
          <p>
            <strong>Fix:</strong> {refusal.fix}
          </p>
        )}
        {request.onlyClaimed && (
          <p>
            The request did not contain the complete key, so it may not have come from one of your servers.
          </p>
        )}
        {request.fromBrowser && (
          <p>
            A browser sent it. Anyone who opens that page can read the key. Move the call to a server and
            rotate the key.
          </p>
        )}
        <Facts
          of={{
            Key: (
              <>
                {key.name} <KeyPrefix prefix={key.prefix} />, {key.state}
              </>
            ),
            Request: (
              <>
                <code>
                  {request.method} {request.route === '*' ? 'an unknown path' : request.route}
                </code>{' '}
                <CallStatus status={request.status} />
              </>
            ),
            When: <Moment at={request.at} as="seconds" />,
            From: request.ip ?? 'Not stored',
          }}
        />
      </div>
      <footer>
        <Link to={activity}>View in the key’s activity</Link>
      </footer>
    </Card>
  )
}
