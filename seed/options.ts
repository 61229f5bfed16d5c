/** What a seed is made with. */

export interface SeedOptions {
  readonly seed: number
  /** Patients of each practice, the cast included. */
  readonly patients: number
  /** Reference date, `yyyy-mm-dd`. */
  readonly asOf: string
  /** Observations of the longest chart, in the demonstration practice only; 10,000 when left out. */
  readonly longChart?: number
  /** Slugs; all of the table when left out. */
  readonly only?: readonly string[]
  /** Leaves practices alone that are there, whatever they were made with. */
  readonly ifEmpty?: boolean
  /** Makes practices again that are as they should be: what was written to them since is gone. */
  readonly anew?: boolean
  /** Threads that make the records; one when left out. The records are the same for any number. */
  readonly jobs?: number
  /** Called after every batch. */
  readonly onProgress?: (done: SeedProgress) => void
}

export interface SeedProgress {
  /** Name of the practice that is being made. */
  readonly practice: string
  /** Made so far, of all practices. */
  readonly resources: number
  /** Of the whole, 0 to 1. */
  readonly share: number
}

export const defaultSeed = { seed: 42, patients: 40, asOf: '2026-11-15' } as const satisfies SeedOptions

/** Few enough people for a test's database to be copied in milliseconds; every practice and the whole cast. */
export const castSeed = { ...defaultSeed, patients: 1, longChart: 60 } as const satisfies SeedOptions
