/** What `pg` tells a query of our own making and COPY has no use for. It has no types for COPY. */
const ignore = () => {}

export const unusedMessages = {
  handleRowDescription: ignore,
  handleDataRow: ignore,
  handleEmptyQuery: ignore,
  handlePortalSuspended: ignore,
  callback: ignore,
} as const
