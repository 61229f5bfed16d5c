/** What the functions of the store need of the process: given to each of them first. */

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
