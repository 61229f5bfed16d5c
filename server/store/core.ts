/** The dependencies of the store's functions, which take them as their first parameter. */

import type { Dictionary } from './dictionary.ts'
import type { IndexVersions } from './index-versions.ts'
import type { ContentStorage } from './s3-client.ts'
import type { Statements } from './statements.ts'

export interface StoreCore {
  readonly statements: Statements
  readonly dictionary: Dictionary
  readonly versions: IndexVersions
  readonly clock: () => Date
  readonly contents: ContentStorage
}
