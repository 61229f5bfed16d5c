/** Options and progress of the seed. */

export interface SeedOptions {
  readonly seed: number
  /** Patients of each practice, the cast included. */
  readonly patients: number
  /** Reference date, `yyyy-mm-dd`. */
  readonly asOf: string
  /** Observations of the longest chart, in the demonstration practice only; 10,000 when left out. */
  readonly longChart?: number
  /** Slugs of the practices to create; all of them by default. */
  readonly only?: readonly string[]
  /** Skips existing practices, even if they were created with other options. */
  readonly ifEmpty?: boolean
  /** Recreates practices even if they are up to date. Everything written to them since is lost. */
  readonly anew?: boolean
  /** Called after every batch. */
  readonly onProgress?: (done: SeedProgress) => void
}

export interface SeedProgress {
  /** Resources created so far, in all practices. */
  readonly resources: number
  /** Share of the whole seed, 0 to 1. */
  readonly share: number
}

export const defaultSeed = { seed: 42, patients: 40, asOf: '2026-11-15' } as const satisfies SeedOptions

/** Few enough patients for tests to copy the database in milliseconds, with every practice and the whole cast. */
export const castSeed = { ...defaultSeed, patients: 1, longChart: 60 } as const satisfies SeedOptions
