import type { MetaFunction } from '@remix-run/react'
import {
  type ActionFunctionArgs,
  type AppLoadContext,
  data,
  type LoaderFunctionArgs,
} from '@remix-run/server-runtime'
import { z } from 'zod'
import { Problem } from '../../server/contract/http/problems.ts'
import { Refusal } from '../components/ui/action-form.tsx'
import { PageHeader } from '../components/ui/page-header.tsx'
import { runAction } from '../lib/submission.server.ts'
import { textReviewOf } from '../lib/text-review.server.ts'
import { page } from '../services.server.ts'
import { PublicFrame } from '../shared/frames/public-frame.tsx'
import { Gallery } from './gallery.tsx'

export const meta: MetaFunction = () => [{ title: 'Components · Sandpiper' }]

function assertDevelopment(context: AppLoadContext): void {
  if (!context.mayDevelop) throw data(null, { status: 404 })
}

export const loader = page(({ context }: LoaderFunctionArgs) => {
  assertDevelopment(context)
  return null
})

const approve = z.object({
  name: z.string(),
  reason: z.string().min(10, 'Use at least 10 characters.'),
})
const revoke = z.object({ reason: z.string() })
const stepForms = {
  'light-approve': approve,
  'dark-approve': approve,
  'light-revoke': revoke,
  'dark-revoke': revoke,
}

/** Refuses every form, so that the page shows what a refusal looks like. */
export const action = page(async (args: ActionFunctionArgs) => {
  assertDevelopment(args.context)
  const refuse = async () => {
    throw new Problem('conflict', { field: 'name', message: 'This name is taken.' })
  }
  const warn = async () => {
    textReviewOf(args.request).warned = { field: 'reason', seen: 'secret_value' }
    throw new Problem('text_warning', { field: 'reason' })
  }
  return runAction(
    args,
    stepForms,
    { 'light-approve': refuse, 'dark-approve': refuse, 'light-revoke': warn, 'dark-revoke': warn },
    { to: () => ({ path: '/dev/components', done: 'review_noted' }) },
  )
})

export default function Components() {
  return (
    <PublicFrame plain>
      <div className="wrap stack loose py-6">
        <PageHeader title="Components">Each part of the portal in every state, in both themes.</PageHeader>
        <Refusal />
        <div className="grid g2">
          <Gallery theme="light" />
          <Gallery theme="dark" />
        </div>
      </div>
    </PublicFrame>
  )
}
