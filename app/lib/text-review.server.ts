/** Takes an author's reasons to keep a text to the domain, and the domain's warning to the page. */
import {
  keepReasonLength,
  newTextReview,
  type TextReview,
  textWarnings,
} from '../../server/contract/text/text-warnings.ts'

const reviews = new WeakMap<Request, TextReview>()
const forms = new WeakMap<TextReview, Pick<SentTextReview, 'intent' | 'about' | 'ofRow'>>()

/** The request's review. The domain's actor carries it, and reading the form fills it. */
export function textReviewOf(request: Request): TextReview {
  const review = reviews.get(request) ?? newTextReview()
  reviews.set(request, review)
  return review
}

/** Stores which form was sent, and the reasons in it to keep a text. Called with every form that is read. */
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

/** The warning that the page shows beside the field, in the response of every action. */
export interface SentTextReview {
  field: string
  message: string
  /** Allowed characters of the reason to keep the text. */
  reasonLength: { min: number; max: number }
  reasonFault: string | null
  /** The form, on a page with several. */
  intent: string | null
  about: string | null
  /** Whether the form is in a row of a list. */
  ofRow: boolean
  /** Fields whose text the author keeps in spite of earlier warnings. */
  kept: readonly string[]
  reason: string
}

/** The warning that stopped this request; null if none did. */
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
