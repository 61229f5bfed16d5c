/** How a page is chosen. */
export interface Choice {
  /** Equal shapes have equal texts. */
  readonly shape: readonly string[]
  readonly ctes: readonly string[]
  /**
   * `id` and `sort` of one resource more than the page holds, and its `content` where `hasContent`; null where only
   * the total is asked for.
   */
  readonly page: { readonly sql: string; readonly limit: string; readonly hasContent: boolean } | null
  /** Of the page's columns, `p.sort DESC, p.id DESC`. */
  readonly order: string
  /** A statement, which may ask `listed`; null: not counted. */
  readonly total: string | null
}
