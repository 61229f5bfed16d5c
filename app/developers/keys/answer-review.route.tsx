import { useLoaderData } from '@remix-run/react'
import { data, redirect } from '@remix-run/server-runtime'
import { answerReviewForm, projectDescriptionLength } from '../../../server/contract/forms/keys.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { describeReviewCode } from '../../../server/contract/workflows/key-review.ts'
import { ContractForm, TextArea } from '../../components/ui/form.tsx'
import { Card, PageHeader } from '../../components/ui/page-parts.tsx'
import { goOn, runForm } from '../../lib/submission.server.ts'
import { getOrganization, page } from '../../services.server.ts'

export const meta = () => [{ title: 'Answer the reviewer · Sandpiper' }]
export const handle = { here: 'Keys / Answer' }

export const loader = page(async (args) => {
  const { session, organization } = await getOrganization(args)
  const { keys } = args.context.services
  const requestId = args.params.request ?? ''
  const request = await keys.getAnswerable({ requestId, accountId: session.accountId })
  if (request.organizationId !== organization.id) throw data(null, { status: 404 })
  const list = paths.organizationKeys(organization.slug)
  if (request.state !== 'needs_info') throw redirect(list)
  const { name, reviewCodes, reviewNote, projectDescription } = request
  return { list, name, questions: reviewCodes.map(describeReviewCode), reviewNote, projectDescription }
})

export const action = page(async (args) => {
  const { organization, actor } = await getOrganization(args)
  return runForm(args.request, answerReviewForm, async (value) => {
    const { projectDescription } = value
    const answer = { requestId: args.params.request ?? '', projectDescription }
    await args.context.services.keys.answerReview(answer, actor)
    return goOn(paths.organizationKeys(organization.slug), 'key_answered')
  })
})

const labels = { projectDescription: 'What are you building?' }

export default function AnswerReview() {
  const { list, name, questions, reviewNote, projectDescription } = useLoaderData<typeof loader>()
  return (
    <div className="page narrow">
      <PageHeader title={`Answer about “${name}”`}>
        A reviewer has a question. Your request is on hold until you answer.
      </PageHeader>
      <Card padded id="asked" title="Open questions">
        <ul className="stack tight">
          {questions.map((question) => (
            <li key={question}>{question}</li>
          ))}
        </ul>
        {reviewNote && <p>Reviewer’s note: {reviewNote}</p>}
      </Card>
      <ContractForm
        labels={labels}
        defaultValue={{ projectDescription }}
        button="Send answer"
        busy="Sending"
        cancel={list}
      >
        <TextArea
          name="projectDescription"
          rows={8}
          countTo={projectDescriptionLength.min}
          hint="Add the missing information. Don’t include information about real people."
        />
      </ContractForm>
    </div>
  )
}
