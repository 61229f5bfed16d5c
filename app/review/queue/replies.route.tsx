import { useLoaderData } from '@remix-run/react'
import { replyReasons, savedReplyForms } from '../../../server/contract/forms/review-desk.ts'
import { paths } from '../../../server/contract/portal/paths.ts'
import { reviewTextLength } from '../../../server/contract/workflows/registration-checks.ts'
import {
  replyFields,
  replyPurposes,
  replyTitleLength,
} from '../../../server/contract/workflows/saved-replies.ts'
import type { SavedReply } from '../../../server/domain/review-queue/saved-replies.ts'
import { ActionForm, Refusal } from '../../components/ui/action-form.tsx'
import { Field, Select, TextArea } from '../../components/ui/form.tsx'
import { MessageSquareText } from '../../components/ui/icons.ts'
import { Card, EmptyState, Facts, PageHeader } from '../../components/ui/page-parts.tsx'
import { runAction } from '../../lib/submission.server.ts'
import { actorOf, getSession, page } from '../../services.server.ts'
import { sentenceOf } from './saved-reply-picker.tsx'

export const meta = () => [{ title: 'Saved replies · Sandpiper' }]

export const loader = page(async (args) => {
  const session = await getSession(args, 'staff')
  const { account } = session
  return {
    mayChange: account.staffRole === 'reviewer',
    replies: await args.context.services.savedReplies.listReplies({}, session),
    onceKey: crypto.randomUUID(),
  }
})

export const action = page(async (args) => {
  const actor = actorOf(args, await getSession(args, 'staff'))
  const { savedReplies } = args.context.services
  return runAction(
    args,
    savedReplyForms,
    {
      add: (input) => savedReplies.addReply(input, actor),
      save: (input) => savedReplies.changeReply(input, actor),
      delete: (input) => savedReplies.deleteReply(input, actor),
    },
    {
      to: (intent) => ({
        path: paths.savedReplies,
        done: intent === 'delete' ? 'reply_deleted' : 'reply_saved',
      }),
    },
  )
})

const options = replyReasons.map((value) => ({ value, label: labelOf(value) }))

function labelOf(reason: (typeof replyReasons)[number]): string {
  const [purpose, code] = reason.split(':') as [keyof typeof replyPurposes, string]
  return `${replyPurposes[purpose].title}: ${sentenceOf({ purpose, code })}`
}

export default function SavedReplies() {
  const { mayChange, replies, onceKey } = useLoaderData<typeof loader>()
  return (
    <>
      <PageHeader title="Saved replies">
        Texts for questions and rejections, shared by all reviewers.
      </PageHeader>
      <Refusal title="Not saved." />
      <div className="grid main-aside">
        <div className="stack">
          {replies.length === 0 && (
            <EmptyState icon={MessageSquareText} title="No saved replies yet">
              Save a text that you use often. You can insert it when you ask a question or reject a request.
            </EmptyState>
          )}
          {replies.map((reply) => (
            <Reply key={reply.id} {...{ reply, onceKey, mayChange }} />
          ))}
          {mayChange && (
            <ActionForm
              key={onceKey}
              version={0}
              onceKey={onceKey}
              intent="add"
              title="New reply"
              button="Save reply"
              look="primary"
            >
              <ReplyFields />
            </ActionForm>
          )}
        </div>
        <div className="stack aside">
          <Card padded="tight" title="Fields">
            <p>Write a field in braces. It is replaced with its value when you use the reply.</p>
            <Facts
              of={Object.fromEntries(
                Object.entries(replyFields).map(([name, about]) => [`{${name}}`, about]),
              )}
            />
          </Card>
        </div>
      </div>
    </>
  )
}

function ReplyFields({ reply }: { reply?: SavedReply }) {
  return (
    <>
      <Select
        name="reason"
        label="Used for"
        value={reply && `${reply.purpose}:${reply.code}`}
        options={options}
      />
      <Field
        name="title"
        label="Title"
        hint="Shown in the list of replies."
        value={reply?.title}
        maxLength={replyTitleLength.max}
        required
      />
      <TextArea
        name="text"
        label="Text"
        hint="Developers read this text."
        value={reply?.text}
        maxLength={reviewTextLength.max}
        rows={4}
        required
      />
    </>
  )
}

interface ReplyProps {
  reply: SavedReply
  onceKey: string
  mayChange: boolean
}

function Reply({ reply, onceKey, mayChange }: ReplyProps) {
  const shared = {
    version: reply.version,
    onceKey: `${onceKey}-${reply.id}`,
    row: { name: 'id', id: reply.id },
  }
  return (
    <Card padded title={reply.title}>
      <p className="muted">{labelOf(`${reply.purpose}:${reply.code}` as (typeof replyReasons)[number])}</p>
      <p className="breaks">{reply.text}</p>
      {mayChange && (
        <details>
          <summary>Change or delete</summary>
          <ActionForm
            {...shared}
            intent="save"
            label={`Change ${reply.title}`}
            button="Save reply"
            className="stack mt-3"
          >
            <ReplyFields reply={reply} />
          </ActionForm>
          <ActionForm
            {...shared}
            intent="delete"
            label={`Delete ${reply.title}`}
            button="Delete reply"
            look="danger"
            className="stack mt-3"
          />
        </details>
      )}
    </Card>
  )
}
