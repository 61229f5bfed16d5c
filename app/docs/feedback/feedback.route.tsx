import { randomUUID } from 'node:crypto'
import type { MetaFunction } from '@remix-run/react'
import { Link, useLoaderData } from '@remix-run/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/server-runtime'
import {
  feedbackForm,
  feedbackTextForm,
  feedbackTextMax,
} from '../../../server/contract/forms/docs-feedback.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { ContractForm } from '../../components/ui/contract-form.tsx'
import { TextArea } from '../../components/ui/field.tsx'
import { waitFor } from '../../lib/dates.ts'
import { readFields, refuseForNow, runForm } from '../../lib/submission.server.ts'
import { page, visitorOf } from '../../services.server.ts'
import { docsHome } from '../../shared/guides/guide-path.ts'
import { addressesOf } from '../guides/addresses.server.ts'
import { findDocsPage } from '../guides/pages.server.ts'

export const meta: MetaFunction = () => [
  { title: 'Documentation feedback · Sandpiper' },
  { name: 'robots', content: 'noindex' },
]

type Asked = ReturnType<typeof feedbackForm.parse>

const answerOf = ({ page: path, answer, edited }: Asked) => ({
  page: path,
  helpful: answer === 'yes',
  edited: edited ?? null,
})

const linkTo = ({ page: path, answer, edited }: Asked, more: Record<string, string> = {}) =>
  `${paths.docsFeedback}?${new URLSearchParams({ page: path, answer, ...(edited && { edited }), ...more })}`

/** The title of a page that exists, else null. */
const titleOf = (path: string, { context }: LoaderFunctionArgs | ActionFunctionArgs) =>
  findDocsPage(path, addressesOf(context))?.title ?? null

export const loader = page((args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams
  const asked = feedbackForm.safeParse(Object.fromEntries(query))
  const title = asked.success ? titleOf(asked.data.page, args) : null
  if (!asked.success || title === null) throw redirect(docsHome)
  return { ...asked.data, title, sent: query.has('sent'), id: randomUUID() }
})

export const action = page(async (args: ActionFunctionArgs) => {
  const fields = await readFields(args.request)
  return fields.has('text') ? addText(args, fields) : answer(args, fields)
})

async function answer(args: ActionFunctionArgs, fields: FormData) {
  const asked = feedbackForm.safeParse(Object.fromEntries(fields))
  if (!asked.success || titleOf(asked.data.page, args) === null)
    throw data({ message: 'The form was incomplete. Go back and try again.' }, { status: 400 })
  const taken = await args.context.services.docsFeedback.answer(answerOf(asked.data), visitorOf(args))
  if (taken.kind !== 'throttled') return redirect(linkTo(asked.data))
  const message = `Too many answers came from your network. Try again in ${waitFor(taken.retryAfterSeconds)}.`
  throw data({ message }, { status: 429, headers: { 'retry-after': String(taken.retryAfterSeconds) } })
}

function addText(args: ActionFunctionArgs, fields: FormData) {
  return runForm(fields, feedbackTextForm, async ({ id, text, ...asked }, submission) => {
    if (titleOf(asked.page, args) === null) throw redirect(docsHome)
    const written = { id, text, ...answerOf(asked) }
    const taken = await args.context.services.docsFeedback.addText(written, visitorOf(args))
    return taken.kind === 'throttled'
      ? refuseForNow(submission, taken)
      : redirect(linkTo(asked, { sent: '1' }))
  })
}

export default function Feedback() {
  const { page: path, answer: said, edited, title, sent, id } = useLoaderData<typeof loader>()
  const back = <Link to={path}>{title}</Link>
  if (sent)
    return (
      <>
        <h1>Thank you</h1>
        <p>We read every comment. Back to {back}.</p>
      </>
    )
  return (
    <>
      <h1>{said === 'yes' ? 'Glad it helped' : 'Sorry it didn’t help'}</h1>
      <p>
        Your answer about {back} is saved.{' '}
        {said === 'yes' ? 'What worked well?' : 'What is missing or wrong?'} A comment is optional.
      </p>
      <ContractForm
        schema={feedbackTextForm}
        labels={{ text: 'Comment' }}
        hidden={{ page: path, answer: said, id, ...(edited && { edited }) }}
        button="Send comment"
        busy="Sending"
      >
        <TextArea
          name="text"
          maxLength={feedbackTextMax * 2}
          hint={`At most ${feedbackTextMax.toLocaleString('en-US')} characters. We don’t store who you are, so we can’t reply. Leave out secrets and patients’ details.`}
        />
      </ContractForm>
    </>
  )
}
