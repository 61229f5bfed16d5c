/** The result of one go-live check. */
export type Finding = Readonly<{
  /** `unseen`: nothing that happened tells. */
  state: 'good' | 'act' | 'unseen'
  /** What was seen, in a sentence. */
  seen: string
}>
