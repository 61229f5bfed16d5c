import { Link, useLocation } from '@remix-run/react'
import { paths } from '../../../server/contract/portal/paths.ts'
import { type ReplyPurpose, replyPurposes } from '../../../server/contract/workflows/saved-replies.ts'
import type { SavedReply } from '../../../server/domain/review-queue/saved-replies.ts'

/** What the server filled in for the reply that the address names. */
type FilledReply = Pick<SavedReply, 'id' | 'purpose' | 'code' | 'text'>

export interface Replies {
  saved: readonly SavedReply[]
  filled: FilledReply | null
}

/** Of a person who answers nothing here. */
export const noReplies: Replies = { saved: [], filled: null }

/** The sentence of the reason that a reply is for. */
export function sentenceOf({ purpose, code }: Pick<SavedReply, 'purpose' | 'code'>): string {
  const reasons: Readonly<Record<string, string>> = replyPurposes[purpose].reasons
  return reasons[code] ?? code
}

/** The reply that the address names, if it is for this. */
export const filledFor = ({ filled }: Replies, ...purposes: readonly ReplyPurpose[]) =>
  filled && purposes.includes(filled.purpose) ? filled : null

interface PickerProps {
  replies: Replies
  purpose: ReplyPurpose
  /** The reasons that this request can be asked or rejected for; all of the purpose when left out. */
  codes?: readonly string[]
}

/** Each reply as a link that fills the form; so it works without a script, too. */
export function SavedReplyPicker({ replies: { saved, filled }, purpose, codes }: PickerProps) {
  const { pathname, search } = useLocation()
  const own = saved.filter(
    (reply) => reply.purpose === purpose && (codes === undefined || codes.includes(reply.code)),
  )
  const to = (id: string) => {
    const query = new URLSearchParams(search)
    query.set('reply', id)
    return `${pathname}?${query}`
  }
  return (
    <details open={filled?.purpose === purpose}>
      <summary>Saved replies ({own.length})</summary>
      <ul className="stack tight plain mt-3">
        {own.map(({ id, title }) => (
          <li key={id}>
            <Link
              to={to(id)}
              preventScrollReset
              replace
              aria-current={filled?.id === id ? 'true' : undefined}
            >
              {title}
            </Link>
          </li>
        ))}
        <li>
          <Link className="small" to={paths.savedReplies}>
            Edit replies
          </Link>
        </li>
      </ul>
    </details>
  )
}
