import { Form, Link, useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { z } from 'zod'
import { type TourStopId, tour, tourStops } from '../../server/contract/lab/tour.ts'
import { Banner, Card, PageHeader, SubmitButton } from '../components/ui/page-parts.tsx'
import { runForm } from '../lib/submission.server.ts'
import { page, visitorOf } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'

const tourForm = z.object({ person: z.enum(tourStops, { error: 'Choose a person.' }) })

export const meta = () => [{ title: 'Tour · Sandpiper' }]

/** Signs in without a password, so only the machine that runs the server gets this page. */
export const loader = page(async ({ context }) => {
  if (!context.mayDevelop) throw data(null, { status: 404 })
  return { hasHistory: await context.services.operations.hasSampleHistory() }
})

export const action = page(async (args) => {
  const { context, request } = args
  if (!context.mayDevelop) throw data(null, { status: 404 })
  return runForm(request, tourForm, async ({ person }) => {
    const cookie = await context.services.accounts.signInAtTour({ person }, visitorOf(args))
    if (cookie === null) throw data({ message: 'This demonstration has no such person.' }, { status: 404 })
    return redirect(tour[person].start, { headers: { 'set-cookie': cookie } })
  })
})

export default function Tour() {
  const { hasHistory } = useLoaderData<typeof loader>()
  return (
    <PublicFrame>
      <div className="wrap stack loose py-6">
        <PageHeader title="See Sandpiper in ten minutes">
          See the same month as four different people. Each button signs you in without a password.
          Developers, practices and staff have separate sessions, so you can be several people at once.
        </PageHeader>
        {!hasHistory && (
          <Banner tone="wait" title="This demonstration is empty.">
            It was started with --empty, or before the sample history existed. A new DATA_DIR has it.
          </Banner>
        )}
        <ol className="grid g2">
          {tourStops.map((id, index) => (
            <li key={id}>
              <Stop id={id} number={index + 1} />
            </li>
          ))}
        </ol>
      </div>
    </PublicFrame>
  )
}

function Stop({ id, number }: { id: TourStopId; number: number }) {
  const { name, role, minutes, about, steps } = tour[id]
  return (
    <Card title={`${number}. ${role}: ${name}`} padded>
      <p>{about}</p>
      <Form method="post" aria-label={role}>
        <SubmitButton name="person" value={id} busy="Signing in">
          Sign in as {name.split(' ')[0]}
        </SubmitButton>
      </Form>
      <p className="small muted">About {minutes} minutes. Once you are signed in:</p>
      <ul className="stack">
        {steps.map(({ to, label, text }) => (
          <li key={to}>
            <p>
              <Link to={to}>{label}</Link>
            </p>
            <p className="small muted">{text}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
