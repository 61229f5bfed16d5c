/** A signed-in developer who has given the second step; null for a visitor. */
export type ExplorerSession = Readonly<{ id: string; accountId: string }> | null
