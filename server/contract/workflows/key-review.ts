/** Why a request for a key goes to a person, and what that person may say. Codes are kept, sentences are shown. */

export const reviewFlags = {
  real_data: 'The description mentions real patients or production data.',
  leaked_before: 'A key of this organization leaked in the last 90 days.',
  declined_before: 'A request of this organization was declined in the last 30 days.',
  many_requests: 'This organization requested more than ten keys in one day.',
} as const

export type ReviewFlag = keyof typeof reviewFlags

/** Speaks of what must not be in a sandbox, unless it says that there is none of it. */
const realData = /\b(real|actual|live|genuine|production)\s+(patients?|people|phi|data|records?|charts?)\b/i
const denial = /\b(no|not|never|without|instead of|rather than)\b[^.]{0,40}$/i

/** Whether a description says that real data will be used. */
export function speaksOfRealData(text: string): boolean {
  const found = realData.exec(text)
  return found !== null && !denial.test(text.slice(0, found.index))
}

export const infoCodes = {
  purpose: 'Describe what the project does with the data, and for whom.',
  real_data: 'Confirm that no real person’s data enters the sandbox.',
  contact: 'Name a technical contact who responds.',
  organization: 'Describe who is behind the organization.',
} as const

export const declineCodes = {
  real_data: 'The sandbox is for synthetic people only.',
  no_project: 'The request doesn’t describe a project.',
  misuse: 'Earlier keys were used against the sandbox terms.',
  duplicate: 'The same project already has a key.',
} as const

export const reviewNoteMax = 1_000

/** The sentence of a code, the code itself when it is none of ours. */
export function describeReviewCode(code: string): string {
  const known: Readonly<Record<string, string>> = { ...declineCodes, ...infoCodes }
  return Object.hasOwn(known, code) ? (known[code] as string) : code
}
