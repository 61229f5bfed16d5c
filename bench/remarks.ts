/** What is to be said of an aim that is missed: by hand, and kept when RESULTS.md is written again. */
export type Remark = {
  /** Why it is missed. */
  why: string
  tried: string
  /** What would be needed to meet it. */
  needed: string
}

/** By the name of the aim. */
export const remarks: Record<string, Remark> = {}
