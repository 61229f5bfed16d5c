/** A process that was told to stop says so at /readyz, and keeps no connection, before it takes no more requests. */
export type Drain = {
  begin(): void
  isBegun(): boolean
}

export function createDrain(): Drain {
  let begun = false
  return {
    begin: () => {
      begun = true
    },
    isBegun: () => begun,
  }
}
