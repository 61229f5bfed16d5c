import { paths } from '../../../server/contract/portal/paths.ts'
import type { ExplorerResult } from '../../../server/lab/explorer/explorer-calls.ts'
import type { ShownSnippet } from '../../shared/snippets/snippet.ts'

/** A call and its answer, as pages show it. */
export interface ShownAnswer extends ExplorerResult {
  readonly snippets: readonly ShownSnippet[]
  /** The same call to the production base, which the explorer never sends. */
  readonly production: readonly ShownSnippet[]
  /** The page that explains the code of a refusal. */
  readonly refusal: { readonly code: string; readonly to: string } | null
  /** Whose key it was; null for the shared one. */
  readonly organizationSlug: string | null
}

/** Where the activity of a minted key is read; nobody reads that of the visitors' shared one. */
export function activityOf({ key, organizationSlug }: ShownAnswer): string | null {
  return organizationSlug === null || key.shared ? null : paths.keyActivity(organizationSlug, key.keyId)
}
