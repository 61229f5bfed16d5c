/** What the author of a form says of warnings about their text, and the warning that the page shows beside the field. */
import {
  keepReasonLength,
  newTextReview,
  type TextReview,
  textWarnings,
} from '../../server/contract/text/text-warnings.ts'

const reviews = new WeakMap<Request, TextReview>()
const forms = new WeakMap<TextReview, Pick<SentTextReview, 'intent' | 'about' | 'ofRow'>>()

/** One for each request: the domain's actor carries it, and the form fills it when it is read. */
export function textReviewOf(request: Request): TextReview {
  const review = reviews.get(request) ?? newTextReview()
  reviews.set(request, review)
  return review
}

/** Called with every form that is read. */
export function keepTextReview(request: Request, fields: FormData): void {
  const review = textReviewOf(request)
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value : null
  }
  const row = text('update') ?? text('agreement') ?? new URL(request.url).searchParams.get('end')
  forms.set(review, {
    intent: text('intent') ?? text('decision'),
    about: row ?? text('id'),
    ofRow: row !== null,
  })
  const keepText = fields.getAll('keepText').filter((value) => typeof value === 'string')
  if (keepText.length > 0) review.kept = { keepText, keepReason: text('keepReason') ?? '' }
}

/** What the page shows beside the field; sent with the answer of every action. */
export interface SentTextReview {
  field: string
  message: string
  /** Of the reason for keeping the text, in characters. */
  reasonLength: { min: number; max: number }
  reasonFault: string | null
  /** Which form of the page it was, where the page has several. */
  intent: string | null
  about: string | null
  /** A form of one row of a list. */
  ofRow: boolean
  /** What was said of warnings before this one. */
  kept: readonly string[]
  reason: string
}

/** The warning that stopped this request; null: none did. */
export function findSentReview(request: Request): SentTextReview | null {
  const review = reviews.get(request)
  if (!review?.warned) return null
  const { field, seen, reasonFault = null } = review.warned
  return {
    field,
    message: textWarnings[seen].message,
    reasonLength: keepReasonLength,
    reasonFault,
    intent: forms.get(review)?.intent ?? null,
    about: forms.get(review)?.about ?? null,
    ofRow: forms.get(review)?.ofRow ?? false,
    kept: review.kept?.keepText ?? [],
    reason: review.kept?.keepReason ?? '',
  }
}
